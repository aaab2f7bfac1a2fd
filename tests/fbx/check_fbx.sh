#!/usr/bin/env bash
# What Blender, three.js and our own reader make of our FBX files: posed vertices must agree with our own skinning.
#   check_fbx.sh PROGRAM FOLDER_OF_CHARACTERS      exit code 77: neither Blender nor three.js is there
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$1
characters=${SINEW_DATA:+$SINEW_DATA/characters}
characters=${characters:-$2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

inputs=(generated)
if [ -d "$characters" ]; then
  for file in "$characters"/*.glb "$characters"/*.fbx; do inputs+=("$file"); done
else
  echo "skipped: there is no $characters"
fi
folders=()
for input in "${inputs[@]}"; do
  folder=$work/$(basename "$input")
  mkdir "$folder"
  if "$program" "$input" "$folder" 2>"$work/messages"; then
    echo "$(basename "$input"): read back by Sinew within $(sed -nE 's/.*"ours":([^}]*).*/\1/p' "$folder/character.json")" \
      "of the diagonal"
    folders+=("$folder")
  else
    echo "FAILED $(basename "$input"): $(cat "$work/messages")"
    failed=1
  fi
done

looked=0
if command -v node >/dev/null && [ -d "$here/../node/node_modules/three" ]; then
  node "$here/pose_in_three.mjs" "${folders[@]}" || failed=1
  looked=1
else
  echo "skipped: three.js is not installed (make node)"
fi
if command -v blender >/dev/null; then
  export BLENDER_USER_CONFIG=$work/config BLENDER_USER_SCRIPTS=$work/scripts BLENDER_USER_DATAFILES=$work/datafiles
  blender --background --factory-startup --python-exit-code 1 --python "$here/pose_in_blender.py" -- "${folders[@]}" \
    >"$work/blender.log" 2>&1 || failed=1
  grep -E "agrees within|^FAILED|Error" "$work/blender.log" || true
  [ "$(grep -c 'agrees within' "$work/blender.log")" -eq "${#folders[@]}" ] || failed=1
  looked=1
else
  echo "skipped: Blender is not installed; make test installs it"
fi
[ "$failed" -eq 0 ] || exit 1
[ "$looked" -eq 1 ] || exit 77
