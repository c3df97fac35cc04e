#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# What action.yml and scripts/gitlab.yml do:
#   ci.sh install PREFIX   builds Omnium and installs it
#   ci.sh check            runs a command of Omnium and writes its reports to omnium-report/
# `check` is told what to do by variables: OMNIUM_COMMAND (run, hunt or check), OMNIUM_TARGET (a program with its
# arguments, or traces), OMNIUM_MORE (options), OMNIUM_SUPPRESSIONS, OMNIUM_BASELINE, OMNIUM_REQUIRE_BLOCKS (true or
# false), OMNIUM_FAIL (false: findings do not fail the job).
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

install() {
  local homepage=""
  # Rules in SARIF link to the documentation where the action comes from.
  if [ -n "${GITHUB_ACTION_REPOSITORY:-}" ]; then
    homepage=${GITHUB_SERVER_URL:-https://github.com}/$GITHUB_ACTION_REPOSITORY/blob/${GITHUB_ACTION_REF:-main}
  fi
  "$root/scripts/bootstrap.sh" run
  cmake -S "$root" -B "$1-build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DOMNIUM_TESTS=OFF "-DOMNIUM_HOMEPAGE=$homepage"
  cmake --build "$1-build"
  cmake --install "$1-build" --prefix "$1"
}

# NAME=VALUE for later steps.
output() {
  if [ -n "${GITHUB_OUTPUT:-}" ]; then echo "$1" >>"$GITHUB_OUTPUT"; fi
}

check() {
  local command=${OMNIUM_COMMAND:-run} words=() target=() status=0
  case $command in
    run | hunt | check) ;;
    *) echo "the command must be run, hunt or check, got '$command'" >&2; exit 2 ;;
  esac
  [ -n "${OMNIUM_TARGET:-}" ] || { echo "the target is missing: a program, or traces" >&2; exit 2; }
  eval "words=(${OMNIUM_MORE:-})"
  eval "target=($OMNIUM_TARGET)"
  if [ -n "${OMNIUM_SUPPRESSIONS:-}" ]; then words+=(--suppressions "$OMNIUM_SUPPRESSIONS"); fi
  if [ -n "${OMNIUM_BASELINE:-}" ]; then words+=(--baseline "$OMNIUM_BASELINE"); fi
  if [ "${OMNIUM_REQUIRE_BLOCKS:-true}" = true ] && [ "$command" != hunt ]; then words+=(--require-blocks); fi
  mkdir -p omnium-report
  for file in omnium.json omnium.sarif omnium.html omnium.xml omnium.md; do words+=(-o "omnium-report/$file"); done
  omnium "$command" "${words[@]}" -- "${target[@]}" || status=$?
  # Otherwise Omnium could not do its work, or the program failed by itself.
  if [ ! -e omnium-report/omnium.json ]; then exit "$status"; fi
  output "status=$status"
  output "result=omnium-report/omnium.json"
  output "sarif=omnium-report/omnium.sarif"
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat omnium-report/omnium.md >>"$GITHUB_STEP_SUMMARY"; fi
  if [ -n "${GITHUB_ACTIONS:-}" ]; then annotate; fi
  if [ "$status" = 66 ] && [ "${OMNIUM_FAIL:-true}" != true ]; then status=0; fi
  exit "$status"
}

# Next to the source lines, without those that are known.
annotate() {
  local words=()
  if [ -n "${OMNIUM_SUPPRESSIONS:-}" ]; then words+=(--suppressions "$OMNIUM_SUPPRESSIONS"); fi
  if [ -n "${OMNIUM_BASELINE:-}" ]; then words+=(--baseline "$OMNIUM_BASELINE"); fi
  omnium report -f github "${words[@]}" omnium-report/omnium.json 2>/dev/null || true
}

case ${1:-} in
  install) install "${2:?expected a prefix}" ;;
  check) check ;;
  *) echo "usage: $0 install PREFIX | check" >&2; exit 2 ;;
esac
