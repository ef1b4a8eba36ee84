# SPDX-License-Identifier: Apache-2.0
# `make demo`, `make test`, `make gui`: each does everything on a fresh Debian 12 machine.
# LIBTORCH=dir uses that LibTorch; AMPPROF_DEPS=dir says where the Python environment is kept; JOBS=n.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DEFAULT_GOAL := help

BUILD ?= build
PRESET ?= dev
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 600
VERSIONS ?= 2.9.1 2.11.0 2.15.0
AMPPROF := $(BUILD)/bin/ampprof

# The environment exists only after scripts/setup, so it is looked up when a recipe runs.
define enter_environment
environment=$$(scripts/setup --where)
export PATH="$$environment/bin:$$PATH"
export LIBTORCH="$${LIBTORCH:-$$(echo "$$environment"/lib/python3*/site-packages/torch)}"
# Clones in different folders share compiled objects; the precompiled header needs the sloppiness.
# The inode cache remembers the hash of that header, which has 600 MB.
export CCACHE_BASEDIR="$$PWD" CCACHE_NOHASHDIR=1 CCACHE_INODECACHE=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
endef

.PHONY: help setup build product torch other-torches test test-long notebook-test te-test versions packages packages-test install world cases demo gui light fuzz asan tsan docs clean where-python

help:
	@echo 'make demo   build what records and shows, then profile two training runs under O0-O3 and show the summary'
	echo 'make test   build, then run the tests: one of each kind'
	echo 'make test-long  build, then run the tests with all repetitions, as before a release'
	echo 'make torch  add what records programs of another LibTorch to what was built: TORCH=2.15.0'
	echo 'make versions  build and test with LibTorch $(VERSIONS); VERSIONS="2.15.0" for some'
	echo 'make packages  build, then make Debian packages, a tarball and a wheel in packages/; make packages-test tries them in clean systems'
	echo 'make install  build, then install: PREFIX=/opt/ampprof'
	echo 'make world  build, then run about 130 programs with and without recording, and compare; WORLD=options of tests/programs/world'
	echo 'make cases  build, then run programs with known faults, and compare their reports with the expected facts; CASES=options of tests/cases/check'
	echo 'make notebook-test   install Jupyter'\''s kernel, pytest and pandas into the build folder, and test recordings in them'
	echo 'make te-test   install Transformer Engine'\''s wheel into the build folder, and ask it what it makes of a factory that ampprof advise wrote'
	echo 'make gui    build ampprof-gui, and open the report of make demo with it'
	echo 'make docs   make the pages of docs/ in build/docs; needs Doxygen, installs Sphinx into an environment of its own'
	echo 'make asan | tsan   what amp_core does, under ASan and UBSan, or ThreadSanitizer'
	echo 'make build | light (pure halves under ASan and UBSan) | clean | where-python'
	echo 'make fuzz   fuzz every reader for FUZZ_SECONDS (600); needs clang'

setup:
	@scripts/setup >/dev/null

# $(call compile,options of cmake --build)
define compile
$(enter_environment)
if [ ! -d "$$LIBTORCH/lib" ]; then echo "build: LIBTORCH=$$LIBTORCH has no lib/; it must be the folder that holds LibTorch's include/ and lib/" >&2; exit 2; fi
mkdir -p $(BUILD)
[ -e $(BUILD)/build.ninja ] || echo 'build: configuring and compiling; on two cores a first build takes 7 minutes for make demo, 20 with all tests' >&2
cmake --preset $(PRESET) -B $(BUILD) >$(BUILD)/configure.log 2>&1 || { cat $(BUILD)/configure.log >&2; exit 1; }
cmake --build $(BUILD) --parallel $(JOBS) $(1)
endef

build: setup
	@$(call compile)

# What records and shows: no test, no bench, no window.
product: setup
	@$(call compile,--target ampprof_product)

# A tree of its own compiles what is bound to LibTorch; the rest comes out of ccache. LIBTORCH=dir takes that one.
torch:
	@[ -n "$(TORCH)" ] || { echo 'torch: say which version, as in make torch TORCH=2.15.0' >&2; exit 2; }
	[ -e $(BUILD)/lib/libampprof_preload.so ] || { echo 'torch: there is no ampprof in $(BUILD) to add a LibTorch to; make build comes first' >&2; exit 2; }
	scripts/versions --build $(BUILD) --preset $(PRESET) --jobs $(JOBS) --only-build $(TORCH)

# Minutes for each version that was built before, a quarter of an hour else.
versions: build
	@scripts/versions --build $(BUILD) --preset $(PRESET) --jobs $(JOBS) $(VERSIONS)

# Brings what `make torch` added up to the sources.
other-torches: build
	@$(enter_environment)
	for tree in $(BUILD)-torch-*/; do
	  [ ! -e "$$tree/build.ninja" ] || cmake --build "$$tree" --parallel $(JOBS) --target ampprof_bound
	done

# Of all versions of LibTorch that were added.
packages: other-torches
	@$(enter_environment)
	scripts/ship/pack $(BUILD) packages

ifneq ($(filter install,$(MAKECMDGOALS)),)
ifeq ($(PREFIX),)
$(error say where to install, as in make install PREFIX=/opt/ampprof)
endif
endif
install: other-torches
	@$(enter_environment)
	scripts/ship/install $(BUILD) "$(PREFIX)"

# Half an hour and more for all; TRY='--suites trixie --torch 2.11.0' for some.
packages-test: packages
	@scripts/ship/try packages $(TRY)

test: build
	@$(enter_environment)
	ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS)

# tests/README.md says what only this one runs.
test-long: build
	@$(enter_environment)
	AMPPROF_LONG_TESTS=1 ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS)

# Half an hour for all on two cores; WORLD='--only REGEX --modes MODES' for some.
world: build
	@$(enter_environment)
	python3 tests/programs/world --build $(BUILD) --jobs $(JOBS) $(WORLD)

# Three minutes for all on two cores; CASES='--only REGEX' for some.
cases: build
	@$(enter_environment)
	python3 tests/cases/check --build $(BUILD) --jobs $(JOBS) $(CASES)

# In a folder of its own, before the pins' site-packages.
notebook-test: build
	@$(enter_environment)
	tools=$$PWD/$(BUILD)/notebook-tools
	if ! cmp -s scripts/requirements-notebook.txt $$tools/pins.txt; then
	  rm -rf $$tools
	  python3 -m pip install --disable-pip-version-check --quiet --target $$tools -c scripts/requirements.txt -r scripts/requirements-notebook.txt
	  cp scripts/requirements-notebook.txt $$tools/pins.txt
	fi
	PYTHONPATH=$$tools ctest --test-dir $(BUILD) --output-on-failure -R end_to_end.notebook

# In a folder of its own too; the wheel brings no compiled module, which the test stubs.
te-test: build
	@$(enter_environment)
	tools=$$PWD/$(BUILD)/te-tools
	if ! cmp -s scripts/requirements-transformer-engine.txt $$tools/pins.txt; then
	  rm -rf $$tools
	  python3 -m pip install --disable-pip-version-check --quiet --no-deps --target $$tools -r scripts/requirements-transformer-engine.txt
	  cp scripts/requirements-transformer-engine.txt $$tools/pins.txt
	fi
	PYTHONPATH=$$tools ctest --test-dir $(BUILD) --output-on-failure -R end_to_end.transformer_engine

demo: product
	@rm -f demo.ampprof
	$(AMPPROF) run --force -o demo.ampprof --levels O0,O1,O2,O3 sample:mnist_cnn
	$(AMPPROF) run --force -o demo-dcgan.ampprof --levels O0,O1,O2,O3 sample:dcgan
	$(AMPPROF) show demo.ampprof
	$(AMPPROF) show demo-dcgan.ampprof

gui: build
	@if [ ! -f demo.ampprof ] || [ ! -f demo-dcgan.ampprof ]; then $(MAKE) demo; fi
	$(BUILD)/bin/ampprof-gui demo.ampprof demo-dcgan.ampprof

light: setup
	@$(enter_environment)
	cmake --preset light >/dev/null
	cmake --build build-light --parallel $(JOBS)
	ctest --test-dir build-light --output-on-failure --parallel $(JOBS)

# What ends a reader is kept in build-fuzz/found/; what reached new code in build-fuzz/corpus/, for the next time.
fuzz: setup
	@$(enter_environment)
	if ! clang++ -x c++ -fsanitize=fuzzer -o /dev/null - <<<'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' 2>/dev/null; then
	  echo 'fuzz: clang++ with its fuzzer runtime is needed; on Debian: apt-get install clang libclang-rt-14-dev' >&2
	  exit 2
	fi
	cmake --preset fuzz >/dev/null
	cmake --build build-fuzz --parallel $(JOBS) --target tests_fuzz
	failed=0
	for target in build-fuzz/bin/fuzz.*; do
	  name=$${target##*/fuzz.}
	  mkdir -p build-fuzz/found/$$name build-fuzz/corpus/$$name
	  echo "fuzz: $$name for $(FUZZ_SECONDS) s" >&2
	  $$target -max_total_time=$(FUZZ_SECONDS) -timeout=60 -print_final_stats=1 -artifact_prefix=build-fuzz/found/$$name/ build-fuzz/corpus/$$name tests/fuzz/seeds/$$name || failed=1
	done
	if [ $$failed -ne 0 ]; then echo 'fuzz: found something; the inputs are in build-fuzz/found/, and build-fuzz/bin/fuzz.NAME FILE tries one again' >&2; fi
	exit $$failed

# LibTorch is not instrumented: cmake/sanitizers/ says what comes of it.
asan: setup
	@$(enter_environment)
	cmake --preset asan >/dev/null
	cmake --build build-asan --parallel $(JOBS) --target tests_amp_core
	ctest --test-dir build-asan --output-on-failure --parallel $(JOBS) -L amp_core

tsan: setup
	@$(enter_environment)
	cmake --preset tsan >/dev/null
	cmake --build build-tsan --parallel $(JOBS) --target test.engine.two_threads
	export TSAN_OPTIONS="suppressions=$$PWD/cmake/sanitizers/tsan.txt halt_on_error=1" OMP_NUM_THREADS=1
	build-tsan/bin/test.engine.two_threads

# Needs Python, Doxygen and, the first time, PyPI; no build. With one, pages of verbs are written anew.
docs:
	@scripts/docs $(BUILD)

clean:
	@rm -rf build build-gui build-light build-fuzz build-asan build-tsan build-torch-*

where-python:
	@echo "$$(scripts/setup --where)/bin/python"
