#!/usr/bin/env bash
# Makes the zip of the Blender add-on, installs it into a Blender without settings and uses it there.
#   check_addon.sh BUILD_FOLDER [-k WORDS]      exit code 77: Blender or patchelf is missing, so nothing was tested
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
build=$(cd "$1" && pwd)
shift
command -v blender >/dev/null || { echo "skipped: Blender is not installed; make test installs it"; exit 77; }
command -v patchelf >/dev/null || { echo "skipped: patchelf is missing; make test installs it"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BLENDER_USER_CONFIG=$work/config BLENDER_USER_SCRIPTS=$work/scripts BLENDER_USER_DATAFILES=$work/datafiles
mkdir -p "$work/scripts/addons"

zip=$("$project/tools/make-addon" "$build" "$work/zip")
foreign=$(cd "$work" && /usr/bin/python3 -m zipfile -e "$zip" "$work/unpacked" &&
  ldd unpacked/sinew_rigging/sinew/libsinew.so unpacked/sinew_rigging/sinew/libs/* | sed -nE 's/.* => ([^ ]+) .*/\1/p' |
  grep -v "^$work/unpacked/" | grep -vE '/(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s)\.so' | sort -u || true)
[ -z "$foreign" ] || { echo "the add-on needs libraries from outside: $foreign"; exit 1; }
blender --background --factory-startup --python-exit-code 1 --python "$here/run_tests.py" -- "$zip" "$@"
