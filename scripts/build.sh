#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# scripts/build.sh PRESET [run|TARGET...]: configures and builds, and says so in a few lines. `run` is the program alone,
# without its tests; a build folder that has tests already keeps them.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1 folder=build/$1
shift
options=(-DOMNIUM_TESTS=ON)
targets=("${@:-all}")
if [ "${targets[0]}" = run ]; then
  targets=(omnium)
  options=()
  [ -e "$folder/CMakeCache.txt" ] || options=(-DOMNIUM_TESTS=OFF)
fi

echo "configuring $folder"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cmake --preset "$preset" "${options[@]}" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }

files=$(ninja -C "$folder" -t commands "${targets[@]}" | grep -c -- ' -c ' || true)
echo "building ${targets[*]}: $files files, or those that changed"
# On a terminal ninja keeps to one line; elsewhere only what is wrong is of interest.
quiet=()
[ -t 1 ] || quiet=(--quiet)
ninja -C "$folder" "${quiet[@]}" "${targets[@]}"
