#!/usr/bin/env bash
# Uses the Blender add-on in a window on a virtual display, drawn by the processor.
#   check_window.sh BUILD_FOLDER PICTURE_FOLDER      exit code 77: something is missing, so nothing was tested
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
pictures=$(cd "$2" && pwd)
for program in blender patchelf Xvfb; do
  command -v "$program" >/dev/null || { echo "skipped: $program is not installed; make test installs it"; exit 77; }
done
work=$(mktemp -d)
display=
trap '[ -z "$display" ] || kill "$display" 2>/dev/null || true; rm -rf "$work"' EXIT
export BLENDER_USER_CONFIG=$work/config BLENDER_USER_SCRIPTS=$work/scripts BLENDER_USER_DATAFILES=$work/datafiles
mkdir -p "$work/scripts/addons"
zip=$("$project/tools/make-addon" "$build" "$work/zip")

Xvfb -displayfd 3 -nolisten tcp -screen 0 1600x1000x24 +extension GLX 3>"$work/number" >"$work/xvfb.log" 2>&1 &
display=$!
for ((i = 0; i < 600; ++i)); do
  [ -s "$work/number" ] && break
  kill -0 "$display" 2>/dev/null || { cat "$work/xvfb.log"; exit 1; }
  sleep 0.1
done
export DISPLAY=:$(cat "$work/number") LIBGL_ALWAYS_SOFTWARE=1
blender --factory-startup --enable-event-simulate --window-geometry 0 0 1600 1000 --no-window-focus \
  --python-exit-code 1 --python "$here/window_test.py" -- "$zip" "$pictures"
