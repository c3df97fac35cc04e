#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# Installs a build under a prefix and builds projects with its drivers and its CMake package, with
# gcc and with clang: projects.sh SOURCE BUILD
set -euo pipefail
projects=$1/tests/driver/projects
build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset OMNIUM_RUNTIME_DIR MAKEFLAGS

prefix=$scratch/a\ prefix
cmake --install "$build" --prefix "$prefix" >/dev/null
PATH=$prefix/bin:$PATH
# What is installed works.
omnium c++ -std=c++20 -O1 -pthread "$1/examples/bank/bank.cpp" -o "$scratch/bank"
status=0
omnium run -- "$scratch/bank" >"$scratch/said" 2>&1 || status=$?
[ $status = 66 ] || { cat "$scratch/said"; echo "status $status of the installed omnium"; exit 1; }

# The stand-in tells how many modules there are; it takes the place of the runtime.
cp "$build/stand_in/libomnium_rt.so" "$(dirname "$(find "$prefix" -name omnium_gcc.specs)")"

expect() {  # PROGRAM MODULES
  local said
  said=$("$1")
  [ "$said" = "total 10, modules $2" ] || { echo "$CXX $OMNIUM_CXX: $1: $said"; exit 1; }
}

for compilers in "gcc g++" "clang clang++"; do
  read -r OMNIUM_CC OMNIUM_CXX <<<"$compilers"
  export OMNIUM_CC OMNIUM_CXX CC=omnium-cc CXX=omnium-c++
  work=$scratch/$OMNIUM_CC
  mkdir -p "$work/configured"

  cp -r "$projects/make" "$projects/sources" "$work"
  make -s -C "$work/make" >/dev/null
  expect "$work/make/program" 1

  (cd "$work/configured" && "$projects/configure/configure" && make -s >/dev/null)
  expect "$work/configured/program" 2

  cmake -S "$projects/cmake" -B "$work/cmake" -G Ninja >/dev/null
  cmake --build "$work/cmake" >/dev/null
  expect "$work/cmake/program" 2

  CC=$OMNIUM_CC CXX=$OMNIUM_CXX cmake -S "$projects/package" -B "$work/package" -G Ninja \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
  cmake --build "$work/package" >/dev/null
  expect "$work/package/program" 2
  expect "$work/package/one-module" 1
done
echo "1 passed, 0 failed"
