# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# make run    build Omnium and show what it does
# make test   build everything and run all tests (what CI runs)
# make bench  measure; prints a table with the targets beside what was reached
# make bench-runtime   the same for checking real programs; COMPILER=clang++ for the other compiler
# make bench-scale     how the cost grows with threads, memory, blocks and locks, beside ThreadSanitizer; SCALE_OPTIONS=--quick for less
# make bench-hunt      what is found in programs whose bugs ordinary runs do not show; HUNT_OPTIONS as in bench/hunt/README.md
# make tables          every table of the five papers for programs of ours, beside the papers' figures; TABLES_OPTIONS
# make package         Debian packages and an archive, in build/release/packages
# make test-twins      the correct twins of the examples, 1,000 runs each: nothing may be reported
# make test-torture    random programs that use everything, for two hours or TORTURE_SECONDS
# make test-mutants    Omnium with one mistake at a time: does a test notice? ONLY=REGEX for some of them
.PHONY: run package test test-release test-sanitized test-twins test-torture test-mutants fuzz bench bench-runtime bench-scale bench-hunt tables build build-sanitized program bootstrap clean

FUZZ_SECONDS ?= 30
FUZZ_SEED ?=
TORTURE_SECONDS ?= 7200
COMPILER ?= g++
HUNT_OPTIONS ?=
TABLES_OPTIONS ?=
SCALE_OPTIONS ?=
ONLY ?=

run: program
	@echo "running the demo"
	@scripts/demo.sh build/release/omnium

# What users get, without the tests.
program:
	@scripts/bootstrap.sh run
	@scripts/build.sh release run

package: program
	ninja -C build/release omnium-static omnium-shared
	cd build/release && cpack

build: bootstrap
	@scripts/build.sh release

bootstrap:
	@scripts/bootstrap.sh test

# The same inputs in every `make test`, so that it fails for what changed; `make fuzz` looks at new ones.
test: FUZZ_SEED = 1
test: test-release test-sanitized fuzz

test-release: build
	ctest --preset release -j2 || { scripts/failures.py build/release; exit 1; }

# clang 14 with warnings as errors, address and undefined-behaviour sanitizers and fuzzers: one build for all of
# these. These runs look for memory errors and undefined behaviour. Whether the answers are right is judged by the
# release build, which runs all random traces: a wrong engine may pass with as few as here.
build-sanitized: bootstrap
	@scripts/build.sh fuzz

test-sanitized: build-sanitized
	OMNIUM_TRACES=1000 OMNIUM_EXHAUSTIVE_EVENTS=4 OMNIUM_PROGRAMS=100 ctest --preset fuzz -j2 -E 'predict|model|report' || { scripts/failures.py build/fuzz; exit 1; }
	OMNIUM_TRACES=50 OMNIUM_PROGRAMS=100 ctest --preset fuzz -j2 -R 'predict|model|report' || { scripts/failures.py build/fuzz; exit 1; }

fuzz: build-sanitized
	@scripts/fuzz.sh build/fuzz $(FUZZ_SECONDS) $(FUZZ_SEED)

bench: bootstrap
	@scripts/build.sh release omnium
	bench/run.py --omnium build/release/omnium

bench-runtime: bootstrap
	@scripts/build.sh release omnium
	bench/runtime.py --omnium build/release/omnium --compiler $(COMPILER)

bench-scale: bootstrap
	@scripts/build.sh release omnium
	bench/scale.py --omnium build/release/omnium --compiler $(COMPILER) $(SCALE_OPTIONS)

bench-hunt: bootstrap
	@scripts/build.sh release omnium
	bench/hunt/run.py --omnium build/release/omnium $(HUNT_OPTIONS)
	bench/hunt/inject.py --omnium build/release/omnium $(HUNT_OPTIONS)

# Shorter than 20 minutes. docs/tables.md has a result, and what it means.
tables: bootstrap
	@scripts/build.sh release omnium
	bench/tables/tables.py --omnium build/release/omnium $(TABLES_OPTIONS)

test-twins: bootstrap
	@scripts/build.sh release omnium
	tests/programs/programs.py --omnium build/release/omnium --twins --runs 1000

test-torture: bootstrap
	@scripts/build.sh release omnium
	tests/torture/torture.py build/release/omnium --seconds $(TORTURE_SECONDS)

test-mutants: bootstrap
	tests/mutants/run.py --only '$(ONLY)'

clean:
	rm -rf build
