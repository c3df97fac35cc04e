#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# Installs what is needed on Debian 12, if it is not there yet: scripts/bootstrap.sh run (to build and use Omnium) or
# scripts/bootstrap.sh test (also for the tests and the benchmarks).
set -euo pipefail

packages=(g++ cmake ninja-build make pkg-config
  libfmt-dev nlohmann-json3-dev libexpected-dev libzstd-dev libxxhash-dev libdw-dev)
case ${1:-test} in
  run) ;;
  test)
    packages+=(clang libclang-rt-14-dev libomp-dev lld git libgtest-dev libbenchmark-dev
      # memory of a process, for `make tables`
      time
      # another allocator, for programs that are linked with it
      libjemalloc-dev
      # parallel algorithms
      libtbb-dev
      # shards on a cluster
      slurm-wlm slurmd munge parallel
      # completions; other build systems; the package
      zsh fish meson bazel-bootstrap bazel-rules-java bazel-rules-proto clangd lintian man-db mandoc
      # `omnium gdb`
      gdb
      # SVG reports; scripts; schemas; the HTML report in a browser
      graphviz python3 python3-jsonschema python3-yaml libxml2-utils chromium fonts-dejavu-core)
    # node for the tests of the viewer and of SARIF; it may have come from elsewhere, with its own npm
    command -v npm >/dev/null || packages+=(nodejs npm) ;;
  *) echo "usage: $0 [run|test]" >&2; exit 2 ;;
esac

missing=()
for package in "${packages[@]}"; do
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
echo "installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
