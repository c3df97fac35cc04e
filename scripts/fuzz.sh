#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# Runs every fuzzer of a build for some seconds, two at a time: scripts/fuzz.sh BUILD SECONDS [SEED]
# With a seed the inputs are the same each time, as far as the time allows; without one they are new.
# A crash leaves its input in BUILD/crashes and prints the command that shows it again.
set -euo pipefail
build=$1
seconds=$2
seed=${3:-0}  # libFuzzer: 0 is a random one
source_dir=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$build/crashes"

run_one() {
  local fuzzer=$1 name corpus
  name=$(basename "$fuzzer")
  corpus=$build/corpus/${name#fuzz-}
  mkdir -p "$corpus"
  local seeds=("$source_dir/tests/fuzz/corpus/${name#fuzz-}")
  [ -d "${seeds[0]}" ] || seeds=()
  # The fuzzer looks at the time between two inputs only.
  if "$source_dir/scripts/limited.py" $((2 * seconds + 120)) "$fuzzer" -seed="$seed" -max_total_time="$seconds" -timeout=10 \
      -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$build/crashes/$name-" "$corpus" "${seeds[@]}" >"$build/$name.log" 2>&1; then
    printf '%s: %s inputs, no finding\n' "$name" \
      "$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log")"
  else
    tail -n 40 "$build/$name.log"
    printf '%s: FAILED; again with: %s INPUT\n' "$name" "$fuzzer"
    return 1
  fi
}
export -f run_one
export build seconds seed source_dir

find "$build" -maxdepth 1 -name 'fuzz-*' -type f -executable -print0 | sort -z |
  xargs -0 -n1 -P2 bash -c 'run_one "$0"'
