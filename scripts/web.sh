# shellcheck shell=bash disable=SC2154
# Builds the browser client into build/web and tests it. To be sourced after scripts/setup.sh.

# npm of any kind will do: the packages bring the Node.js that the build needs, because Debian's own is too old for it. Older npm
# does not put it on the path of its scripts, so it is put there.
web_npm() {
  local folder path=$PATH
  for folder in "$root"/web/node_modules/node-linux-*/bin; do
    if [[ -x $folder/node ]]; then path=$folder:$path; fi
  done
  (cd "$root/web" && PATH=$path npm --no-update-notifier "$@")
}

# web_packages: what package-lock.json names, fetched once and again when it changes.
web_packages() {
  command -v npm >/dev/null || need_packages web
  local mark=$root/web/node_modules/.baton-lock
  if [[ -f $mark ]] && cmp -s "$mark" "$root/web/package-lock.json"; then return; fi
  say "Fetching the packages of the browser client …"
  local log=$root/build/web-packages.log
  mkdir -p "$root/build"
  if ! web_npm ci --no-audit --no-fund >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    fail "the packages of web/ could not be fetched; the whole story is in build/web-packages.log"
  fi
  cp "$root/web/package-lock.json" "$mark"
}

# build_web: only when something in web/ or the schema is newer than what was built.
build_web() {
  local built=$root/build/web/index.html
  if [[ -f $built ]] && [[ -z $(find "$root/web" "$root/docs/protocol.schema.json" -path "$root/web/node_modules" -prune -o -path "$root/web/src/generated" -prune -o -type f -newer "$built" -print -quit) ]]; then return; fi
  web_packages
  say "Building the browser client in build/web …"
  local log=$root/build/web-build.log
  if ! web_npm run --silent build >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    fail "building the browser client failed"
  fi
}

# check_web: types, unit tests, texts.
check_web() {
  web_packages
  say "Checking the browser client …"
  web_npm run --silent check >&2 || fail "the browser client does not pass its checks"
}

# test_in_browser: the pages in build/web and the program in build/release, together in a real browser.
test_in_browser() {
  web_packages
  say "Testing in a browser …"
  web_npm run --silent browser-test >&2 || fail "the tests in a browser failed"
}
