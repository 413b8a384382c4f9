# shellcheck shell=bash
# What ./run and ./test share: packages, configuring, building. To be sourced.
# Everything here speaks on stderr, so that a program's own output stays clean.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*" >&2; }
fail() {
  say "error: $*"
  exit 1
}

# The packages of the named parts of packages.txt that are not installed.
missing_packages() {
  local part name
  local -a wanted=()
  while read -r part name _; do
    if [[ " $* " == *" $part "* ]]; then wanted+=("$name"); fi
  done <"$root/packages.txt"
  # dpkg-query leaves out what it does not know, complains and fails.
  { dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null || true; } |
    awk -v wanted="${wanted[*]}" '
      $1 == "installed" { have[$2] = 1 }
      END { n = split(wanted, names, " "); for (i = 1; i <= n; ++i) if (!(names[i] in have)) print names[i] }'
}

# apt-get as root, without questions.
apt_get() {
  local -a as_root=()
  if ((EUID != 0)); then as_root=(sudo); fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
    apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" </dev/null
}

may_be_root() {
  ((EUID == 0)) && return
  command -v sudo >/dev/null || return
  [[ -t 0 ]] || sudo -n true 2>/dev/null  # without a terminal nobody can type a password
}

# need_packages PART…: installs what is missing, or says what to install.
need_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "This is not Debian, so packages are not checked; packages.txt lists what is needed."
    return
  fi
  local missing
  missing=$(missing_packages "$@" | tr '\n' ' ')
  missing=${missing% }
  if [[ -z $missing ]]; then return; fi
  local command="apt-get install --no-install-recommends $missing"
  if ! may_be_root; then
    say "Missing packages: $missing"
    fail "install them as root, then start again: $command"
  fi

  local log=$root/build/packages.log
  mkdir -p "$root/build"
  : >"$log"
  say "Installing packages: $missing"
  # shellcheck disable=SC2086 # one word a package
  set -- install -y --no-install-recommends $missing
  # Lists of packages that are absent or too old are fetched once.
  if apt_get --simulate "$@" >/dev/null 2>&1 && apt_get "$@" >>"$log" 2>&1; then return; fi
  say "Fetching the lists of packages …"
  if apt_get update >>"$log" 2>&1 && apt_get "$@" >>"$log" 2>&1; then return; fi
  tail -n 20 "$log" >&2
  fail "the packages could not be installed. By hand: $command"
}

# ccache needs a place that can be written to.
settle_ccache() {
  if [[ -n ${CCACHE_DIR:-} ]]; then return; fi
  local home=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/ccache
  if ! { mkdir -p "$home/tmp" && [[ -w $home && -w $home/tmp ]]; } 2>/dev/null; then
    export CCACHE_DIR=$root/build/ccache
  fi
}

# build PRESET [TARGET…]: into build/PRESET; all targets when none is named.
build() {
  local preset=$1
  shift
  local folder=$root/build/$preset
  settle_ccache
  say "Building in build/$preset …"
  if [[ -f $folder/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    rm -rf "$folder"  # it came here with a copied or moved folder
  fi
  # Later changes of the CMake files are noticed by the build itself, those of the presets are not.
  if [[ ! -f $folder/build.ninja || $root/CMakePresets.json -nt $folder/build.ninja ]]; then
    mkdir -p "$folder"
    if ! (cd "$root" && cmake --preset "$preset") >"$folder/configure.log" 2>&1; then
      cat "$folder/configure.log" >&2
      fail "configuring build/$preset failed"
    fi
  fi
  local -a arguments=(--parallel "$(nproc)")
  if (($# > 0)); then arguments+=(--target "$@"); fi
  if [[ $# -eq 0 || ! -e $folder/$1 ]]; then
    cmake --build "$folder" "${arguments[@]}" >&2 || fail "building build/$preset failed"
    return
  fi
  # It stands already, so only what goes wrong is worth showing.
  cmake --build "$folder" "${arguments[@]}" -- --quiet 2>&1 | { grep -vxF 'ninja: no work to do.' || true; } >&2 ||
    fail "building build/$preset failed"
}
