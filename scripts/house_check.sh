#!/usr/bin/env bash
# Checks what compilers do not: which room includes which, what the rules may not touch, words and links.
# Prints each finding as FILE:LINE: …; fails when there is one.
set -euo pipefail
shopt -s lastpipe  # so that the last part of a pipe counts in this shell
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

found=0
# wrong WHAT: each line of stdin is a finding.
wrong() {
  local line
  while IFS= read -r line; do
    printf '%s\n    %s\n' "$line" "$1"
    found=$((found + 1))
  done
}
# files NAME-PATTERN… [-- FOLDER…]: our own files, whether git knows them yet or not.
files() {
  local -a names=() folders=(.)
  while (($# > 0)); do
    if [[ $1 == -- ]]; then
      folders=("${@:2}")
      break
    fi
    names+=(-o -name "$1")
    shift
  done
  find "${folders[@]}" \( -name .git -o -path ./build -o -path ./baton-data -o -name node_modules \) -prune -o -type f \( "${names[@]:1}" \) -print | sort
}
not_tests() { grep -vE '(_(test|fuzz|bench)\.cc|(^|\/)test_[a-z_]+\.h)$' || true; }
# grep that does not fail when there is nothing; reads file names from stdin.
search() { xargs -r -d '\n' grep -nHE "$@" || true; }

# 1. Includes point one way; only a game's tests may use the match they are played in. may_include ROOM ROOMS…
may_include() {
  local room=$1 allowed
  shift
  if [[ ! -d $room ]]; then return; fi
  allowed=$(IFS='|' && echo "$*")
  files '*.h' '*.cc' -- "$room" | { if [[ $room == games/* ]]; then not_tests; else cat; fi; } | search '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' | { grep -vE "include[[:space:]]*\"($allowed)/" || true; } |
    wrong "$room/ may only include what is in: $*."
}
may_include core core
for game in games/*/; do
  may_include "${game%/}" core "${game%/}"
done
may_include match core games match
may_include bots core games match bots
may_include table core games match bots table

# 2. core/ and games/ do no input or output, know no threads, clocks or locale, and take chance only as it is handed in.
closed='iostream|fstream|filesystem|thread|mutex|atomic|condition_variable|future|chrono|ctime|locale|clocale|random|unistd\.h|unicode/.*|sodium\.h'
files '*.h' '*.cc' -- core games | not_tests | search "^[[:space:]]*#[[:space:]]*include[[:space:]]*<($closed)>" |
  wrong "The rules must build for the browser too: no files, threads, clocks, locale or randomness of their own."

# 3. Lines end where .clang-format ends them; texts that are quoted as they are may be longer.
files '*.h' '*.cc' | LC_ALL=C.UTF-8 search '^.{141,}$' | { grep -vE '^[^:]+:[0-9]+:[[:space:]]*R?"|R"\(' || true; } | cut -c 1-120 |
  wrong "A line has 140 columns at most; clang-format breaks it."

# 4. Headers are included once.
while IFS= read -r header; do
  if ! grep -q '^#pragma once$' "$header"; then echo "$header:1:"; fi
done < <(files '*.h') | wrong "A header needs #pragma once."

# 5. Words that do not belong in what we hand on. Bracketed so that this file does not find itself.
sources=('*.h' '*.cc' '*.cmake' 'CMakeLists.txt' '*.json' '*.toml' '*.md' '*.txt' '*.sh' 'run' 'test')
files "${sources[@]}" | search '\b(TO[D]O|FIX[M]E|X[X]X|HA[C]K)\b' | wrong "Finish it, or file an issue."
files "${sources[@]}" | search '(^|[^[:alnum:]_.])/(wo[r]k|roo[t]|hom[e]|Use[r]s)/' | wrong "No paths of one machine."
files '*' | { grep -iE '/[^/]*(util|helper|manager)s?[^/]*$' || true; } | wrong "Say what it is: no utils, helpers or managers."

# 6. Clean text.
files "${sources[@]}" | search $'\r$|[ \t]+$' | wrong "Blanks at the end of the line."
files "${sources[@]}" | search $'\t' | wrong "A tab; indent with blanks."
while IFS= read -r file; do
  if [[ -s $file && -n $(tail -c 1 "$file") ]]; then echo "$file:"; fi
done < <(files "${sources[@]}") | wrong "The last line has no end."

# 7. Links inside the documents lead somewhere.
while IFS= read -r page; do
  { grep -noE '\]\([^)#: ]+[)#]' "$page" || true; } | while IFS=: read -r number link; do
    target=${link#](}
    target=${target%[)#]}
    if [[ ! -e $(dirname "$page")/$target ]]; then echo "$page:$number: $target"; fi
  done
done < <(files '*.md') | wrong "The link leads nowhere."

if ((found > 0)); then
  echo "$found findings"
  exit 1
fi
