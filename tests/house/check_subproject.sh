#!/usr/bin/env bash
# Builds and runs a project that takes Sinew in by add_subdirectory and has flags of its own (tests/consumer/subproject,
# whose CMakeLists.txt checks what Sinew leaves behind). It links the runtime, and with "whole" also libsinew, which
# takes minutes.
#   check_subproject.sh CXX [whole]
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
complain() { echo "$*" >&2; exit 1; }

cmake -S "$project/tests/consumer/subproject" -B "$work/build" -G Ninja -DCMAKE_CXX_COMPILER="$1" \
  -DCMAKE_BUILD_TYPE=Release >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
for target in parent "${@:2}"; do
  cmake --build "$work/build" --target "$target" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  "$work/build/$target" "$work/post.glb"
done

commands=$(grep '"command"' "$work/build/compile_commands.json")
ours=$(grep -c '/sinew_runtime\.dir/' <<<"$commands") || complain "no file of Sinew is compiled here: this looks at the wrong place"
[ "$(grep -c -- ' -O1 -DPARENT ' <<<"$commands")" = "$(wc -l <<<"$commands")" ] ||
  complain "some of $ours files of Sinew are not compiled with the flags of the parent"
grep -E -- ' (-O[023s]|-Werror|-Wall)( |$)' <<<"$commands" && complain "Sinew adds flags that are the parent's to choose"

cmake --install "$work/build" --prefix "$work/prefix" >/dev/null
installed=$(cd "$work/prefix" && find . -type f)
[ "$installed" = ./bin/parent ] || complain "Sinew installs itself unasked: $installed"
