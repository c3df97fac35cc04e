#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# What Omnium does, to a program and to a trace that are shipped with it: scripts/demo.sh OMNIUM
set -euo pipefail
omnium=$1
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

show() {
  printf '\n$ omnium %s\n' "$*"
  local status=0
  "$omnium" "$@" || status=$?
  [ "$status" -eq 0 ] || printf '(exit status %d)\n' "$status"
  [ "$status" -ne 2 ]
}

show c++ -std=c++20 -g -O2 -pthread examples/bank/bank.cpp -o "$scratch/bank"
show run -- "$scratch/bank"
show check examples/traces/bank.std
show check -e all examples/traces/bank.std
show refine examples/traces/bank.std -o "$scratch/bank.spec"
show generate locks --events 5M --violate -o "$scratch/locks.omt"
show info "$scratch/locks.omt"
show check "$scratch/locks.omt"
