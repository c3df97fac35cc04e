#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# Installs what a build, the tests and the benchmarks need on Debian 12, if it is not there yet.
set -euo pipefail

packages=(
  # build
  g++ clang libclang-rt-14-dev lld cmake ninja-build make pkg-config git
  # libraries
  libcli11-dev libfmt-dev nlohmann-json3-dev libexpected-dev libzstd-dev libxxhash-dev libhwy-dev
  robin-map-dev libdw-dev
  # tests and benchmarks
  libgtest-dev libbenchmark-dev python3
)

missing=()
for package in "${packages[@]}"; do
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
echo "installing: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
