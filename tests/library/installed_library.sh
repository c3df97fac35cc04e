#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# Installs a build under a prefix and uses it from CMake and pkg-config, as another project would:
# installed_library.sh SOURCE BUILD
set -euo pipefail
source_dir=$1
build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
expected='thread 2: withdraw (event 1) is not atomic: event 4 came in between
serializable: no'

cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
cmake -S "$source_dir/tests/library/consumer" -B "$scratch/build" -G Ninja \
  -DCMAKE_PREFIX_PATH="$scratch/prefix" -DEXAMPLE="$source_dir/examples/library/toy_stm.cc" >/dev/null
cmake --build "$scratch/build" >/dev/null
for kind in static shared; do
  [ "$("$scratch/build/uses-$kind")" = "$expected" ]
done

PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name omnium.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
g++ -std=c++20 "$source_dir/examples/library/toy_stm.cc" $(pkg-config --cflags --libs omnium) -o "$scratch/stm"
[ "$(LD_LIBRARY_PATH=$(pkg-config --variable=libdir omnium) "$scratch/stm")" = "$expected" ]
"$scratch/prefix/bin/omnium" --version
echo "1 passed, 0 failed"
