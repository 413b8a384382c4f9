# shellcheck shell=bash disable=SC2154
# The long part of ./test: everything in bulk. Sourced after scripts/setup.sh, when release and fuzz are built.

soak_passed=0 soak_failed=0

# attempt NAME COMMAND…: counts it, and shows what it printed last.
attempt() {
  local name=$1 log=$root/build/soak/$1.log begun=$SECONDS
  shift
  if "$@" >"$log" 2>&1; then
    soak_passed=$((soak_passed + 1))
    printf 'ok      %-40s %5d s   %s\n' "$name" $((SECONDS - begun)) "$(soak_figure "$log")"
  else
    soak_failed=$((soak_failed + 1))
    tail -n 40 "$log"
    printf 'FAILED  %-40s %5d s   see build/soak/%s.log\n' "$name" $((SECONDS - begun)) "$name"
  fi
}

# What is worth telling of a log: executions of a fuzzer, games and decisions of the rest.
soak_figure() {
  grep -oE 'number_of_executed_units: +[0-9]+|[0-9]+ games .*|[0-9]+ kills, .*|[0-9]+ decisions in .*|"(finished|decisions)": [0-9]+' "$1" | tr -s ' \n' ' ' | head -c 100
}

# split_examples FILE FOLDER: each part between lines of "---" becomes a file.
split_examples() { awk -v folder="$2" 'BEGIN { n = 1 } /^---$/ { ++n; next } { print > (folder "/example-" n) }' "$1"; }

fuzz_for() {
  local target=$1 minutes=$2 corpus
  corpus=$root/build/soak/corpus/$(basename "$target")
  mkdir -p "$corpus"
  # Some begin with examples of their own, in a file beside their source.
  local name examples
  name=$(basename "$target")
  for examples in "$root"/*/"${name#baton_}".examples; do
    if [[ -f $examples ]]; then split_examples "$examples" "$corpus"; fi
  done
  "$target" -max_total_time=$((minutes * 60)) -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 -verbosity=1 \
    -artifact_prefix="$corpus.found-" "$corpus"
}

# simulate_all GAME COUNT OPTIONS…: every game must come to its end.
simulate_all() {
  local game=$1 count=$2 option report
  shift 2
  local -a options=()
  for option in "$@"; do options+=(--option "$option"); done
  report=$("$root/build/release/baton" simulate "$game" --games "$count" --json "${options[@]}") || return
  printf '%s\n' "$report"
  [[ $report == *"\"finished\": $count,"* ]]
}

# arena_rounds PROGRAM SECONDS DECISIONS: all kinds of players against each other in every scenario, round after round, until so much time has gone
# and so many decisions were made. An action that is not legal, a forfeit, or something a sanitizer finds ends it.
arena_rounds() {
  local program=$1 seconds=$2 decisions=$3 begun=$SECONDS seed=0 made=0 folder scenario first_bot="exec:python3 $root/bots/examples/first_bot.py"
  local -a players
  folder=$(mktemp -d)
  while ((SECONDS - begun < seconds || made < decisions)); do
    for scenario in company-commander/{normandy,river-crossing} company-leader/{standard,attacker-defender,capture-the-flag,escort,stonne,teams,three,two-against-one}; do
      ((SECONDS - begun < seconds || made < decisions)) || break
      seed=$((seed + 1))
      players=(--player random --player greedy --player recruit --player captain:iterations=50,threads=2 --player general:time=5 --player "$first_bot")
      # With three sides only two players can meet.
      [[ $scenario != */three ]] || players=(--a captain:iterations=50,threads=2 --b "$first_bot")
      "$program" arena "${scenario%/*}" --scenario "${scenario#*/}" --seed "$seed" --games 2 --threads 2 --file "$folder/$seed" --json "${players[@]}" \
        >"$folder/report" || return
      if grep -q '"forfeit"' "$folder/$seed"; then
        grep '"forfeit"' "$folder/$seed"
        return 1
      fi
      made=$((made + $(awk -F'"decisions":' 'NR > 1 { sum += $2 } END { print sum }' "$folder/$seed")))
    done
  done
  rm -r "$folder"
  echo "$made decisions in $seed rounds, none illegal, none forfeited"
}

# soak MINUTES
soak() {
  local minutes=$1 option target flags i
  local -a options
  mkdir -p "$root/build/soak"

  # 1. The promises of the contract, in many games: as standard, and with every option changed.
  attempt check-company-commander "$root/build/release/baton" check company-commander --games 2000
  local -a all=(fire_bonus_mode=drm support_roll_mode=sum_nd6 hq_rally_scope=any_front commander_option=true half_squad_us_is_infantry=true first_turn_balance=true)
  for option in "${all[@]}" max_rounds=5; do
    attempt "check-company-commander-${option%=*}" "$root/build/release/baton" check company-commander --games 500 --option "$option"
  done

  local scenario
  for scenario in standard three teams two-against-one attacker-defender capture-the-flag escort stonne; do
    for option in army=fixed army=free neutral_zone=false; do
      attempt "check-company-leader-$scenario-$option" "$root/build/release/baton" check company-leader --scenario "$scenario" --games 20 --option "$option" --option turn_limit=12
    done
  done

  # 2. Every combination of the options ends every game.
  for ((flags = 0; flags < 1 << ${#all[@]}; ++flags)); do
    options=()
    for i in "${!all[@]}"; do
      if ((flags >> i & 1)); then options+=("${all[i]}"); fi
    done
    attempt "simulate-company-commander-$flags" simulate_all company-commander 100000 "${options[@]}"
  done
  attempt simulate-company-commander-max_rounds simulate_all company-commander 100000 max_rounds=5

  # 3. The server, killed at random moments under load.
  attempt durability env BATON_KILLS=1000 "$root/build/release/table/baton_table_test" --gtest_filter='Durability.Nothing*'

  # 4. The computer's players: a million decisions, then an hour under sanitizers.
  attempt arena-a-million-decisions arena_rounds "$root/build/release/baton" 0 1000000
  attempt arena-an-hour-under-sanitizers arena_rounds "$root/build/dev/baton" 3600 0

  # 5. Fuzzing under sanitizers.
  while IFS= read -r target; do
    attempt "$(basename "$target")" fuzz_for "$target" "$minutes"
  done < <(find "$root/build/fuzz" -type f -name '*_fuzz' -perm -u+x | sort)

  echo "soak: $soak_passed passed, $soak_failed failed"
  ((soak_failed == 0))
}
