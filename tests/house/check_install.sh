#!/usr/bin/env bash
# Installs the built tree and uses it as others do: by find_package and by pkg-config, static and shared, the whole
# library and the runtime alone.
#   check_install.sh BUILD_FOLDER CXX
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
cxx=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
complain() { echo "$*" >&2; exit 1; }

cmake --install "$build" --prefix "$work/prefix" >/dev/null
prefix=$work/prefix
lib=$(dirname "$(find "$prefix" -name libsinew.a)")
diff <(cd "$project/include" && find . -name '*.h' | sort) <(cd "$prefix/include" && find . -type f | sort) ||
  complain "what is installed as headers is not what include/ holds"
grep -rlF -e "$build" -e "$project" "$prefix" --include='*.cmake' --include='*.pc' --include='*.h' &&
  complain "the installed package names folders of this machine"

# A prefix elsewhere with nothing but static libraries: also proves that the package may be moved.
static=$work/static
cp -r "$prefix" "$static"
rm "$static${lib#"$prefix"}"/*.so*

# needs PROGRAM: the libraries of Sinew, and those that only a static Sinew makes a program need.
needs() { readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(lib\(sinew\|tbb\|embree\|assimp\).*\)\]/\1/p' | sort | xargs; }

# expect KIND PROGRAM [ARGUMENT]: runs it, and looks whether it is linked as KIND says.
expect() {
  LD_LIBRARY_PATH=$lib "$2" "${@:3}" || complain "$2 ($1) fails"
  case "$1: $(needs "$2")" in
    "shared: libsinew.so."* | "runtime shared: libsinew_runtime.so."* | "runtime static: ") ;;
    "static: libsinew"*) complain "$2 should not need a shared Sinew" ;;
    "static: "*libtbb*) ;;
    *) complain "$2 ($1) needs: $(needs "$2")" ;;
  esac
}

# by_cmake KIND FOLDER PREFIX SHARED [package that must not be needed…]
by_cmake() {
  local folder=$work/cmake-${1// /-} disabled=()
  for package in "${@:5}"; do disabled+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"); done
  cmake -S "$project/tests/consumer/$2" -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER="$cxx" -DBUILD_SHARED_LIBS="$4" \
    -DCMAKE_PREFIX_PATH="$3" "${disabled[@]}" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  cmake --build "$folder" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  expect "$1" "$folder/consumer" "$work/triangle.glb"
}
link_only="TBB embree assimp nlohmann_json nanoflann"
by_cmake static find_package "$static" OFF nlohmann_json nanoflann
# shellcheck disable=SC2086
by_cmake shared find_package "$prefix" ON $link_only

# by_pkg_config KIND PREFIX PACKAGE SOURCE [--static]
by_pkg_config() {
  local program=$work/pkg-config-${1// /-} flags
  flags=$(PKG_CONFIG_PATH=$2${lib#"$prefix"}/pkgconfig pkg-config --cflags --libs "${@:5}" "$3")
  # shellcheck disable=SC2086
  "$cxx" -std=c++20 "$4" $flags -o "$program"
  expect "$1" "$program" "$work/triangle.glb"
}
by_pkg_config static "$static" sinew "$project/tests/consumer/main.cpp" --static
by_pkg_config shared "$prefix" sinew "$project/tests/consumer/main.cpp"

"$prefix/bin/sinew" info "$work/triangle.glb" | grep -q triangle || complain "the installed program does not work"
