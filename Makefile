# The front door. On a fresh Debian 12: `make demo` shows it, `make test` proves it; nothing else is needed first.
#   make demo     installs what is missing, builds, makes and shows a character: see out/demo
#   make test     installs, builds, runs every test
#   make bench    benchmarks, as ratios against a peer or a physical limit taken in the same run
#   make format   clang-format over the sources;  make tidy: naming rules by clang-tidy
#   make fuzz     builds the libFuzzer targets with clang
BUILD ?= build
JOBS ?= $(shell nproc)
export CCACHE_BASEDIR := $(CURDIR)
SOURCES := $(shell git ls-files '*.h' '*.cpp' 2>/dev/null)

.PHONY: all demo test bench format tidy fuzz packages node clean

all: packages
	@cmake -S . -B $(BUILD) -G Ninja >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log
	cmake --build $(BUILD) -j $(JOBS)

packages:
	@tools/install-packages

test: all node
	ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS)

node: tests/node/node_modules/.installed
tests/node/node_modules/.installed: tests/node/package-lock.json
	npm ci --prefix tests/node --no-audit --no-fund
	@touch $@

bench: packages
	cmake -S . -B $(BUILD)-bench -G Ninja -DSINEW_BENCH=ON -DSINEW_TESTS=OFF
	cmake --build $(BUILD)-bench -j $(JOBS)
	for program in $(BUILD)-bench/bin/bench_*; do echo "== $$program"; $$program || exit 1; done

format:
	@tools/install-packages clang-format
	clang-format -i $(SOURCES)

tidy: all
	@tools/install-packages clang-tidy
	clang-tidy -p $(BUILD) --quiet $(filter sinew/%.cpp apps/%.cpp,$(SOURCES))

fuzz:
	@tools/install-packages clang libclang-rt-14-dev
	cmake -S . -B $(BUILD)-fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DSINEW_FUZZ=ON -DSINEW_TESTS=OFF
	cmake --build $(BUILD)-fuzz -j $(JOBS)

clean:
	rm -rf $(BUILD) $(BUILD)-bench $(BUILD)-fuzz out
