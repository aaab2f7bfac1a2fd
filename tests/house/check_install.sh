#!/usr/bin/env bash
# Installs the built tree to a temporary prefix and builds a project that uses it by find_package(sinew).
#   check_install.sh BUILD_FOLDER
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null
cmake -S "$project/tests/consumer" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/build"
"$work/build/consumer" "$work/triangle.glb"
"$work/prefix/bin/sinew" info "$work/triangle.glb" | grep -q triangle
if grep -rlF "$build" "$work/prefix" --include='*.cmake' | grep .; then
  echo "the installed package names the build folder" >&2
  exit 1
fi
