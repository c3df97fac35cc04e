# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# make run    build everything and show what Omnium does
# make test   build everything and run all tests (what CI runs)
# make bench  measure; prints a table with the targets beside what was reached
.PHONY: run test test-release test-sanitized fuzz bench build build-sanitized bootstrap clean

FUZZ_SECONDS ?= 60

run: build
	@scripts/demo.sh build/release/omnium

build: bootstrap
	@cmake --preset release >/dev/null
	@cmake --build --preset release

bootstrap:
	@scripts/bootstrap.sh

test: test-release test-sanitized fuzz

test-release: build
	ctest --preset release -j2

# clang 14 with warnings as errors, address and undefined-behaviour sanitizers and fuzzers: one build for all of
# these. Fewer random traces here: the release build has run them all.
build-sanitized: bootstrap
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz

test-sanitized: build-sanitized
	OMNIUM_TRACES=3000 OMNIUM_EXHAUSTIVE_EVENTS=4 OMNIUM_PROGRAMS=300 ctest --preset fuzz -j2 -E predict
	OMNIUM_TRACES=50 ctest --preset fuzz -R predict

fuzz: build-sanitized
	@scripts/fuzz.sh build/fuzz $(FUZZ_SECONDS)

bench: bootstrap
	@cmake --preset bench >/dev/null
	@cmake --build --preset bench
	bench/run.py --omnium build/bench/omnium

clean:
	rm -rf build
