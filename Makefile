# The front door. On a fresh Debian 12: `make demo` shows it, `make test` proves it; nothing else is needed first.
#   make demo     installs what is missing, builds, makes and rigs a character: see out/demo
#   make test     installs, builds, runs every test
#   make torch    installs libtorch and builds sinew-torch, for `sinew train-fit` and `--features`
#   make page     builds the page of `sinew view`
#   make wheel    the Python package for any Linux with glibc 2.36: see out/wheel
#   make addon    the Blender add-on, a zip that holds everything: see out/addon
#   make deb      Debian packages of program, libraries, Python package and Blender add-on: see out/deb
#   make tarball  a folder that runs from any place on any Linux with glibc 2.36: see out/tarball
#   make check-packages   installs deb, wheel, tarball and add-on in a bare Debian 12 and uses them there; as root
#   make bench    benchmarks, as ratios against a peer or a physical limit taken in the same run
#   make bench-characters   every weight method against artists' weights, beside other tools; writes the table in docs/benchmarks/weights.md
#   make example-correctives   simulate, train and show correctives for a built-in body, in minutes: see out/correctives
#   make format   clang-format over the sources
#   make tidy     clang-tidy over the sources: naming rules and common mistakes
#   make sanitize every test and fuzz target with clang's address, undefined-behaviour and thread sanitizers
#   make fuzz     builds the libFuzzer targets
# CMakePresets.json has more: release, clang.
BUILD ?= build
JOBS ?= $(shell nproc)
export CCACHE_BASEDIR := $(CURDIR)
TORCH_PACKAGES = libtorch-dev libopenblas0-pthread
SOURCES = $(shell git ls-files '*.h' '*.cpp')

.PHONY: all demo example-correctives test torch page wheel addon deb tarball check-packages bench bench-characters bench-build format tidy sanitize fuzz packages node clean

all: configure
	cmake --build $(BUILD) -j $(JOBS)

.PHONY: configure
configure: packages
	@mkdir -p $(BUILD)
	@cmake --preset dev -B $(BUILD) >$(BUILD)/configure.log 2>&1 || { cat $(BUILD)/configure.log; exit 1; }

packages:
	@tools/install-packages

demo: configure
	cmake --build $(BUILD) -j $(JOBS) --target sinew_cli
	@tools/demo $(BUILD) out/demo

page: configure
	cmake --build $(BUILD) --target sinew_page

wheel: configure
	@tools/install-packages patchelf python3-setuptools python3-wheel
	cmake --build $(BUILD) -j $(JOBS) --target sinew_cli sinew_python sinew_page
	@tools/make-wheel $(BUILD) out/wheel

addon: configure
	@tools/install-packages patchelf
	cmake --build $(BUILD) -j $(JOBS) --target sinew_python
	@tools/make-addon $(BUILD) out/addon

# Compiled as the tests have it; linked for the prefix /usr.
.PHONY: package-build
package-build: packages
	@mkdir -p $(BUILD)-package
	@cmake --preset package -B $(BUILD)-package >$(BUILD)-package/configure.log 2>&1 || { cat $(BUILD)-package/configure.log; exit 1; }
	cmake --build $(BUILD)-package -j $(JOBS)

deb: package-build
	@tools/install-packages dpkg-dev debhelper dh-python lintian
	@packaging/make-deb $(BUILD)-package out/deb

tarball: package-build
	@tools/install-packages patchelf xz-utils
	@packaging/make-tarball $(BUILD)-package out/tarball

check-packages: deb tarball wheel addon
	@tools/install-packages debootstrap
	@packaging/check-packages out

example-correctives: configure
	cmake --build $(BUILD) -j $(JOBS) --target sinew_cli
	@tools/example-correctives $(BUILD) out/correctives

test: test-packages torch-configure all node
	ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS)

# All in one call: every call that finds something missing reads the lists of packages anew.
.PHONY: test-packages
test-packages:
	@tools/install-packages $(TORCH_PACKAGES) clang-tidy chromium patchelf python3-setuptools python3-wheel python3-venv \
	  python3-numpy python3-scipy python3-matplotlib python3-pytest blender xvfb libgl1-mesa-dri \
	  abigail-tools zsh fish

# Training and TorchScript networks need libtorch: 300 MB to download and minutes to build, so the demo does without.
.PHONY: torch-configure
torch-configure: packages
	@tools/install-packages $(TORCH_PACKAGES)
	@mkdir -p $(BUILD)
	@cmake --preset dev -B $(BUILD) -DSINEW_TORCH=ON >$(BUILD)/configure.log 2>&1 || { cat $(BUILD)/configure.log; exit 1; }

torch: torch-configure
	cmake --build $(BUILD) -j $(JOBS) --target sinew_cli sinew_torch

# The validator, three.js and a hand on the browser, for the tests that look at our files and our page with them.
node: packages
	@tools/npm-install tests/node
	@tools/npm-install tests/web

bench: bench-build
	for program in $(filter-out %_characters,$(wildcard $(BUILD)-bench/bin/bench_*)); do echo "== $$program"; $$program || exit 1; done

bench-characters: bench-build
	$(BUILD)-bench/bin/bench_characters --markdown >$(BUILD)-bench/characters.md
	tools/replace-section docs/benchmarks/weights.md characters <$(BUILD)-bench/characters.md

bench-build: packages
	@cmake --preset bench -B $(BUILD)-bench >/dev/null
	cmake --build $(BUILD)-bench -j $(JOBS)

format:
	@tools/install-packages clang-format
	clang-format -i $(SOURCES)

tidy: configure
	@tools/install-packages clang-tidy
	clang-tidy -p $(BUILD) --quiet $(filter sinew/%.cpp apps/%.cpp bindings/%.cpp,$(SOURCES))

sanitize:
	@tools/sanitize all

fuzz:
	@tools/install-packages clang libclang-rt-14-dev
	cmake --preset sanitize
	cmake --build build-sanitize -j $(JOBS) --target fuzzers

clean:
	rm -rf $(BUILD) $(BUILD)-* out
