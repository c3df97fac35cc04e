#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# The viewer: types, whether the committed page is what the sources give, and its tests in a real browser.
# web/test.sh SOURCE BINARY; screenshots stay in BINARY/web/screenshots. 77: node, npm or a browser is not there.
set -euo pipefail
source=$1 binary=$2
{ command -v node && command -v npm; } >/dev/null || { echo "node or npm is not installed"; exit 77; }
command -v chromium google-chrome >/dev/null || [ -n "${CHROMIUM:-}" ] || { echo "chromium is not installed"; exit 77; }

work=$binary/web
mkdir -p "$work"
cp -r "$source"/web/{package.json,package-lock.json,.npmrc,tsconfig.json,build.mjs,src,test} "$work"
cd "$work"
# A registry that does not answer must not hold up the tests: better a second try.
fetch() { "$source/scripts/limited.py" 150 npm ci --silent --ignore-scripts --fetch-timeout=30000; }
if ! cmp -s package-lock.json node_modules/.installed; then
  fetch || fetch
  cp package-lock.json node_modules/.installed
fi
npm run --silent check
node build.mjs "$work/fresh"
{ cmp "$source/web/dist/viewer.html" "$work/fresh/viewer.html" && cmp "$source/web/dist/drawing.css" "$work/fresh/drawing.css"; } ||
  { echo "web/dist does not match web/src: run 'npm ci && npm run build' in web/ and commit web/dist"; exit 1; }
OMNIUM=$binary/omnium OMNIUM_SOURCE=$source OMNIUM_SCRATCH=$work node --test test/*.test.mjs
