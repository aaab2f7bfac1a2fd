#!/usr/bin/env bash
# Installs the built tree and uses it as others do: by find_package and by pkg-config, static and shared, the whole
# library from C++ and C, and the runtime alone from C.
#   check_install.sh BUILD_FOLDER CXX CC
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)
build=$1 cxx=$2 cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
complain() { echo "$*" >&2; exit 1; }
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }

prefix=$work/prefix
quietly cmake --install "$build" --prefix "$prefix"
lib=$(dirname "$(find "$prefix" -name libsinew.a)")
diff <(cd "$project/include" && find . -name '*.h' | sort) <(cd "$prefix/include" && find . -type f | sort) ||
  complain "what is installed as headers is not what include/ holds"
grep -rlF -e "$build" -e "$project" "$prefix" --include='*.cmake' --include='*.pc' --include='*.h' &&
  complain "the installed package names folders of this machine"

# A prefix elsewhere with nothing but static libraries: also proves that the package may be moved.
static=$work/static
cp -r "$prefix" "$static"
rm "$static${lib#"$prefix"}"/*.so*

# expect KIND PROGRAM: runs it, and looks at what it needs beside the C library.
expect() {
  local needed
  LD_LIBRARY_PATH=$lib "$2" "$work/post.glb" || complain "$2 fails"
  needed=$(readelf -d "$2" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sed -E '/^(libc|libm|libgcc_s|ld-linux.*)\.so/d' | sort | xargs)
  case "$1: $needed" in
    "c_shared: "*" "*) complain "$2 needs more than libsinew: $needed" ;;
    "runtime_static: " | "runtime_shared: libsinew_runtime.so."* | "c_shared: libsinew.so."* | "shared: libsinew.so."*" libstdc++.so."*) ;;
    "static: "*libsinew*) complain "$2 should not need a shared Sinew" ;;
    "static: "*libtbb*) ;;
    *) complain "$2 needs: $needed" ;;
  esac
}

# by_cmake KIND CONSUMER PREFIX SHARED [package that must not be needed…]
by_cmake() {
  local folder=$work/cmake_$1 disabled=()
  for package in "${@:5}"; do disabled+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"); done
  quietly env CXX="$cxx" CC="$cc" cmake -S "$project/tests/consumer/$2" -B "$folder" -G Ninja \
    -DCMAKE_PREFIX_PATH="$3" -DBUILD_SHARED_LIBS="$4" "${disabled[@]}"
  quietly cmake --build "$folder"
  expect "$1" "$folder/consumer"
}
by_cmake static find_package "$static" OFF nlohmann_json nanoflann
by_cmake shared find_package "$prefix" ON nlohmann_json nanoflann TBB embree assimp draco meshoptimizer
by_cmake runtime_static runtime "$static" OFF TBB embree assimp draco meshoptimizer Eigen3
by_cmake runtime_shared runtime "$prefix" ON TBB embree assimp draco meshoptimizer Eigen3

# by_pkg_config KIND PREFIX "COMPILER SOURCE" PACKAGE [--static]
by_pkg_config() {
  local program=$work/pkg_config_$1 flags
  flags=$(PKG_CONFIG_PATH=$2${lib#"$prefix"}/pkgconfig pkg-config --cflags --libs "${@:4}")
  # shellcheck disable=SC2086
  $3 $flags -o "$program"
  expect "$1" "$program"
}
consumers=$project/tests/consumer
by_pkg_config static "$static" "$cxx -std=c++20 $consumers/main.cpp" sinew --static
by_pkg_config shared "$prefix" "$cxx -std=c++20 $consumers/main.cpp" sinew
by_pkg_config c_shared "$prefix" "$cc $project/examples/bind_with_progress.c" sinew
by_pkg_config runtime_static "$static" "$cc $consumers/runtime/main.c" sinew-runtime --static
by_pkg_config runtime_shared "$prefix" "$cc $consumers/runtime/main.c" sinew-runtime

"$prefix/bin/sinew" info "$work/post.glb" | grep -q post || complain "the installed program does not work"
