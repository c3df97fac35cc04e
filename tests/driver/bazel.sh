#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# Uses Omnium from Bazel, with the lines of docs/guide/compiling.md: bazel.sh SOURCE BUILD
# Nothing is downloaded: what Debian's Bazel lacks is in tests/driver/projects/bazel.
set -euo pipefail
source=$1 build=$2
projects=$source/tests/driver/projects/bazel
rules=/usr/share/bazel/rules
for needed in bazel:"$(command -v bazel || true)" bazel-rules-java:$rules/java bazel-rules-proto:$rules/proto; do
  [ -e "${needed#*:}" ] || { echo "skipped: ${needed%%:*} is not installed"; exit 77; }
done
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
unset OMNIUM_RUNTIME_DIR OMNIUM_OPTIONS CC CXX

fail() {
  echo "$*"
  exit 1
}

cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
PATH=$scratch/prefix/bin:$PATH
cp -r "$projects/bank" "$scratch/bank"
mkdir "$scratch/bank/examples"
cp -r "$source/examples/bank" "$source/examples/shapes" "$scratch/bank/examples"
sed -n '/^```bazelrc/,/^```$/p' "$source/docs/guide/compiling.md" | grep -v '^```' >"$scratch/bank/.bazelrc"
cd "$scratch/bank"
status=0
HOME=$scratch bazel --batch "--output_user_root=$scratch/root" test --config=omnium --test_env=PATH --test_output=errors \
  "--override_repository=rules_cc=$projects/rules_cc" "--override_repository=remote_coverage_tools=$projects/coverage" \
  "--override_repository=rules_java=$rules/java" "--override_repository=rules_proto=$rules/proto" \
  //... >"$scratch/said" 2>&1 || status=$?
[ $status = 3 ] || fail "status $status: $(cat "$scratch/said")"
grep -q "//:fixed .*PASSED" "$scratch/said" || fail "$(cat "$scratch/said")"
grep -q "//:bank .*FAILED" "$scratch/said" || fail "$(cat "$scratch/said")"
grep -q "ATOMICITY VIOLATION .* lost update on savings.balance" "$scratch/said" || fail "$(cat "$scratch/said")"
grep -q "examples/bank/bank.cpp:33" "$scratch/said" || fail "no source lines: $(cat "$scratch/said")"
echo "1 passed, 0 failed"
