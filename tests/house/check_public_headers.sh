#!/usr/bin/env bash
# Compiles every public header alone, with many warnings and with nothing but the installed headers and Eigen in reach;
# those that are also for C (they have no `#pragma once`) as C too.
#   check_public_headers.sh BUILD_FOLDER CXX
set -euo pipefail
build=$1
cxx=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work" >/dev/null
cd "$work/include"

export flags="-fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wundef -Werror -I."
export cxx eigen=$(pkg-config --cflags eigen3 | sed 's/-I/-isystem /g')
compile_alone() {
  echo "#include <$1>" | $cxx -std=c++20 $flags $eigen -x c++ - || { echo "$1 does not compile alone"; return 1; }
  grep -q '#pragma once' "$1" || printf '#include <%s>\ntypedef int more_than_nothing;\n' "$1" | $cxx -std=c99 $flags -x c - ||
    { echo "$1 does not compile alone as C"; return 1; }
}
export -f compile_alone
find sinew -name '*.h' -print0 | xargs -0 -P "$(nproc)" -I{} bash -c 'compile_alone {}'
echo "$(find sinew -name '*.h' | wc -l) public headers compile alone"
