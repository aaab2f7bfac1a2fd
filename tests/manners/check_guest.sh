#!/usr/bin/env bash
# Runs host_of_a_guest on a small character, with a folder for temporary files that must stay empty, and once more in a
# Turkish locale where one can be made: there the decimal point is a comma and the small letter of I is not i.
#   check_guest.sh SINEW HOST_OF_A_GUEST
set -euo pipefail
sinew=$1 host=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/files" "$work/temporary" "$work/locales"
"$sinew" make-character "$work/files/hero.glb" --kind adult --vertices 1000 --seed 3 --quiet >/dev/null
"$sinew" convert "$work/files/hero.glb" "$work/files/hero.obj" --quiet >/dev/null
"$sinew" convert "$work/files/hero.glb" "$work/files/walk.bvh" --quiet >/dev/null
export TMPDIR=$work/temporary
"$host" "$work/files"
if localedef -i tr_TR -f UTF-8 "$work/locales/tr_TR.UTF-8" 2>/dev/null; then
  LOCPATH=$work/locales "$host" "$work/files" tr_TR.UTF-8
else
  echo "no Turkish locale: install the package locales to try it"
fi
