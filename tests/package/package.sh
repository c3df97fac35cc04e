#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# Makes the packages of a build and tries them: lintian finds no error, what is installed works as the tutorial says,
# and nothing stays when it is removed. The archive works wherever it is unpacked. package.sh SOURCE BUILD
set -euo pipefail
source=$1 build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset OMNIUM_RUNTIME_DIR OMNIUM_OPTIONS

fail() {
  echo "$*"
  exit 1
}

# The packages of the build itself, in a folder of the test's own.
cpack --config "$build/CPackConfig.cmake" -B "$scratch/packages" >"$scratch/said" 2>&1 || fail "$(cat "$scratch/said")"
cd "$scratch"
ls packages/*.deb packages/*.tar.zst >/dev/null
lintian --fail-on error packages/*.deb >lintian.txt 2>&1 || fail "$(grep '^E' lintian.txt)"

# The session of the tutorial: compile, run, store, render.
try() {  # FOLDER OF OMNIUM
  local PATH=$1:$PATH work
  work=$(mktemp -d -p "$scratch")
  [ "$(command -v omnium)" = "$1/omnium" ] || fail "no omnium in $1"
  omnium doctor >"$work/doctor" || fail "$(cat "$work/doctor")"
  omnium c++ -std=c++20 -g -O1 -pthread "$source/examples/bank/bank.cpp" -o "$work/bank"
  local status=0
  omnium run -o "$work/bank.json" -o "$work/bank.html" -- "$work/bank" >"$work/said" 2>&1 || status=$?
  [ $status = 66 ] || fail "status $status: $(cat "$work/said")"
  omnium report "$work/bank.json" >"$work/said" && fail "the stored result has no finding"
  grep -q "ATOMICITY VIOLATION" "$work/said" || fail "$(cat "$work/said")"
  OMNIUM_CXX=clang++ omnium c++ -std=c++20 -O1 -pthread "$source/examples/bank/bank_fixed.cpp" -o "$work/fixed"
  omnium run -- "$work/fixed" >"$work/said" 2>&1 || fail "$(cat "$work/said")"
  omnium help tutorial >"$work/page"
}

# A root of dpkg's own; nothing else is installed there, so dependencies are not asked for.
root=$scratch/root
mkdir -p "$root"/var/lib/dpkg/{info,updates}
touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
dpkg=(dpkg "--root=$root" --force-depends --force-not-root --force-bad-path --force-script-chrootless --log=/dev/null)
"${dpkg[@]}" -i packages/*.deb >"$scratch/said" 2>&1 || fail "$(cat "$scratch/said")"
try "$root/usr/bin"
man -l "$root/usr/share/man/man1/omnium-check.1.gz" 2>/dev/null | grep -q "require-blocks" || fail "no man page"
for page in "$root"/usr/share/man/man1/*.1.gz; do
  said=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null; zcat "$page" | mandoc -T lint -W warning)
  [ -z "$said" ] || fail "$page: $said"
done
# gdb loads the commands from where it need not ask.
[ -e "$root/usr/share/gdb/auto-load/usr/lib/omnium/libomnium_rt.so-gdb.py" ] || fail "no commands for gdb"
[ ! -e "$root/usr/lib/omnium/libomnium_rt.so-gdb.py" ] || fail "gdb would ask whether it may load the commands"
for package in omnium libomnium0 libomnium-dev; do
  "${dpkg[@]}" -s "$package" | grep -E '^(Package|Installed-Size|Depends):' || true
done
cmake -S "$source/tests/library/consumer" -B consumer -DCMAKE_PREFIX_PATH="$root/usr" \
  -DEXAMPLE="$source/examples/library/toy_stm.cc" >/dev/null
"${dpkg[@]}" -P omnium libomnium0 libomnium-dev >"$scratch/said" 2>&1 || fail "$(cat "$scratch/said")"
left=$(find "$root" -path "$root/var" -prune -o ! -type d -print)
[ -z "$left" ] || fail "left: $left"

# The archive, twice, in folders with a blank.
mkdir "$scratch/first place"
tar --zstd -xf packages/*.tar.zst -C "$scratch/first place"
mv "$scratch/first place"/* "$scratch/second place"
try "$scratch/second place/bin"
[ -e "$scratch/second place/lib/omnium/libomnium_rt.so-gdb.py" ] || fail "the archive has no commands for gdb"
echo "1 passed, 0 failed"
