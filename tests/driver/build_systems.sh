#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# Installs a build under a prefix and uses it from CMake's tests, a toolchain file and Meson:
# build_systems.sh SOURCE BUILD
set -euo pipefail
source=$1 build=$2
projects=$source/tests/driver/projects
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset OMNIUM_RUNTIME_DIR MAKEFLAGS OMNIUM_OPTIONS CC CXX

prefix=$scratch/a\ prefix
cmake --install "$build" --prefix "$prefix" >/dev/null
PATH=$prefix/bin:$PATH
toolchain=$(find "$prefix" -name OmniumToolchain.cmake)

fail() {
  echo "$*"
  exit 1
}

# The tests of a project that was configured with these options: which of them fail?
expect_tests() {  # NAME OPTION...
  local work=$scratch/$1 failed
  shift
  cmake -S "$projects/tests" -B "$work" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
    -DBANK="$source/examples/bank/bank.cpp" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" >"$scratch/said" 2>&1 || fail "$(cat "$scratch/said")"
  cmake --build "$work" >"$scratch/said" 2>&1 || fail "$(cat "$scratch/said")"
  ctest --test-dir "$work" -L omnium --timeout 120 >"$scratch/said" 2>&1 || true
  failed=$(sed -n 's/.*- \([a-z-]*\) (Failed).*/\1/p' "$scratch/said" | sort | tr '\n' ' ')
  [ "$failed" = "bank bank-hunted nothing " ] || fail "$work: failed: $failed: $(cat "$scratch/said")"
  for file in bank.xml bank.sarif bank.html bank-suppressed.xml; do
    [ -s "$work/omnium-results/$file" ] || fail "$file is missing"
  done
  grep -q 'failures="1"' "$work/omnium-results/bank.xml" || fail "bank.xml has no failure"
  grep -q '"ruleId"' "$work/omnium-results/bank.sarif" || fail "bank.sarif has no result"
}
expect_tests instrumented -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++
CC=omnium-cc CXX=omnium-c++ expect_tests drivers
expect_tests toolchain --toolchain "$toolchain"

# clangd understands the commands of a build with the drivers, as docs/guide/debugging.md says.
if command -v clangd >/dev/null; then
  asked=$(sed -n "s/^    clangd \(--query-driver=.*\)/\1/p" "$source/docs/guide/debugging.md" | tr -d "'")
  clangd "--check=$source/examples/bank/bank.cpp" "--compile-commands-dir=$scratch/drivers" "$asked" >"$scratch/said" 2>&1 ||
    fail "clangd: $(grep '^E' "$scratch/said")"
  grep -q "Compile command from CDB" "$scratch/said" || fail "clangd: no compile command: $(cat "$scratch/said")"
fi

# Annotations are nothing without instrumentation.
cmake -S "$projects/plain" -B "$scratch/plain" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
  -DBANK="$source/examples/bank/bank.cpp" >/dev/null
cmake --build "$scratch/plain" >/dev/null
"$scratch/plain/bank" >/dev/null
if readelf -d "$scratch/plain/bank" | grep -q omnium; then fail "the plain program needs Omnium"; fi

# What omnium_add_test says about mistakes.
mkdir "$scratch/wrong"
for mistake in "NAME a" "NAME a COMMAND b HUNT soon" "MISSPELT NAME a COMMAND b"; do
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(p NONE)\nfind_package(Omnium REQUIRED)\nomnium_add_test(%s)\n' "$mistake" \
    >"$scratch/wrong/CMakeLists.txt"
  if cmake -S "$scratch/wrong" -B "$scratch/wrong/build" -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/said" 2>&1; then
    fail "accepted: $mistake"
  fi
  grep -q "omnium_add_test:" "$scratch/said" || fail "$(cat "$scratch/said")"
done

# Meson, as docs/guide/compiling.md says.
cp -r "$projects/meson" "$scratch/meson"
cp -r "$source/examples" "$scratch/meson/examples"
(
  cd "$scratch/meson"
  while read -r line; do
    status=0
    eval "$line" >"$scratch/said" 2>&1 || status=$?
    echo "$status"
  done < <(sed -n 's/^    \(.*meson .*\)/\1/p' "$source/docs/guide/compiling.md") >"$scratch/statuses"
)
[ "$(tr '\n' ' ' <"$scratch/statuses")" = "0 1 " ] || fail "meson: $(cat "$scratch/statuses" "$scratch/said")"
grep -q "ATOMICITY VIOLATION" "$scratch"/meson/build-omnium/meson-logs/testlog*.txt || fail "meson found nothing"
echo "1 passed, 0 failed"
