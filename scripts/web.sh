# shellcheck shell=bash disable=SC2154
# Builds the browser client into build/web and tests it. To be sourced after scripts/setup.sh.

# npm of any kind will do. Debian's own Node.js is too old for the tools; then one from the packages is kept in build/node and runs them.
web_npm() { (cd "$root/web" && PATH=$root/build/node:$PATH npm --no-update-notifier "$@"); }

# As Vite wants it.
node_is_new_enough() {
  PATH=$root/build/node:$PATH node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)'
}

fetch_web_packages() {
  local log=$root/build/web-packages.log
  if ! web_npm ci --no-audit --no-fund >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    fail "the packages of web/ could not be fetched; the whole story is in build/web-packages.log"
  fi
}

# web_packages: what package-lock.json names, fetched once and again when it changes.
web_packages() {
  command -v npm >/dev/null || need_packages web
  local mark=$root/web/node_modules/.baton-lock node
  if [[ -f $mark ]] && cmp -s "$mark" "$root/web/package-lock.json" && node_is_new_enough; then return; fi
  say "Fetching the packages of the browser client …"
  mkdir -p "$root/build"
  # Under an old Node.js, npm leaves out the packages that are for some machines only, and with them the heart of the bundler: so the
  # first round is for the new Node.js, the second for everything.
  if ! node_is_new_enough; then
    fetch_web_packages
    mkdir -p "$root/build/node"
    for node in "$root"/web/node_modules/node-linux-*/bin/node; do
      if [[ -x $node ]]; then cp "$node" "$root/build/node/node"; fi
    done
    node_is_new_enough || fail "the browser client needs Node.js 20.19, 22.12 or newer, and the packages bring none for this kind of machine; please install it"
  fi
  fetch_web_packages
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
