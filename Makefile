# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# make run    build everything and show what Omnium does
# make test   build everything and run all tests (what CI runs)
# make bench  measure; prints a table with the targets beside what was reached
.PHONY: run test test-release test-sanitized test-clang fuzz bench build bootstrap clean

FUZZ_SECONDS ?= 60

run: build
	@scripts/demo.sh build/release/omnium

build: bootstrap
	@cmake --preset release >/dev/null
	@cmake --build --preset release

bootstrap:
	@scripts/bootstrap.sh

test: test-release test-clang test-sanitized fuzz

test-release: build
	ctest --preset release -j2

# clang 14 with warnings as errors: all of the product must compile, and the tests of the engines run once more.
test-clang: bootstrap
	@cmake --preset clang >/dev/null
	@cmake --build --preset clang --target omnium omnium-shared test-paper test-differential
	OMNIUM_TRACES=20000 OMNIUM_EXHAUSTIVE_EVENTS=5 ctest --preset clang -j2 -R 'paper|differential'

test-sanitized: bootstrap
	@cmake --preset asan-ubsan >/dev/null
	@cmake --build --preset asan-ubsan
	OMNIUM_TRACES=5000 OMNIUM_PROGRAMS=300 OMNIUM_EXHAUSTIVE_EVENTS=4 ctest --preset asan-ubsan -j2

fuzz: bootstrap
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz
	@scripts/fuzz.sh build/fuzz $(FUZZ_SECONDS)

bench: bootstrap
	@cmake --preset bench >/dev/null
	@cmake --build --preset bench
	bench/run.py --omnium build/bench/omnium

clean:
	rm -rf build
