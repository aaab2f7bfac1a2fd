#!/usr/bin/env bash
# Fails when a header breaks the naming rules of .clang-tidy. Those of the C interface (*_c.h) have C's habits.
set -euo pipefail
command -v clang-tidy >/dev/null || { echo "clang-tidy is missing: make test installs it"; exit 1; }
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git ls-files 'include/*.h' 'sinew/*.h' 'bindings/*.h' | sed '/_c\.h$/d; s#^include/##; s/.*/#include "&"/' >"$work/all_headers.cpp"
clang-tidy --quiet --config-file=.clang-tidy --checks='-*,readability-identifier-naming' --header-filter='(sinew|bindings)/.*' \
  --warnings-as-errors='*' "$work/all_headers.cpp" -- -std=c++20 -I. -Iinclude -isystem /usr/include/eigen3 2>/dev/null
echo "every header follows the naming rules"
