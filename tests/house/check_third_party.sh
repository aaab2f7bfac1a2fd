#!/usr/bin/env bash
# Compares THIRD_PARTY.md with what the build looks for, what the built programs need, what tools/install-packages and
# the Makefile install, and what package.json files ask for.
#   check_third_party.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1
failed=0
complain() { echo "$*"; failed=1; }

# rows HEADING: the rows of the table below "## HEADING", cells separated by |.
rows() { awk -v heading="## $1" '$0 == heading { on = 1; next } /^## / { on = 0 } on && /^\|/ && ++n[heading] > 2' THIRD_PARTY.md; }
# words NUMBER: the words of this cell of every row, without backticks.
words() { awk -F'|' -v n="$1" '{ gsub("`", "", $(n + 1)); print $(n + 1) }' | tr ' ,' '\n\n' | sed '/^$/d' | sort -u; }
# same WHAT REAL DOCUMENTED: compares two sorted lists.
same() {
  local real documented
  real=$(cat "$2")
  documented=$(cat "$3")
  [ -n "$real" ] || complain "$1: nothing found; this check looks at the wrong place"
  while read -r name; do complain "$1: $name is not in THIRD_PARTY.md"; done < <(comm -23 <(echo "$real") <(echo "$documented"))
  while read -r name; do complain "$1: THIRD_PARTY.md names $name, which is not there"; done \
    < <(comm -13 <(echo "$real") <(echo "$documented"))
}

same "find_… in CMake files" \
  <(git ls-files '*CMakeLists.txt' '*.cmake' | grep -v '^tests/consumer/' |
    xargs sed -nE '/^ *#/d; s/.*\bfind_package\(([A-Za-z0-9_]+).*/\1/p; s/.*\bfind_(library|path)\([A-Z0-9_]+ ([^ )]+).*/\2/p
                   s/.*pkg_check_modules\(.* ([a-z-]+)\).*/\1/p' | grep -v '^PkgConfig$' | sort -u) \
  <(rows Libraries | words 5)

same "installed packages" \
  <({ sed -nE '/^packages=\(/,/^\)/p' tools/install-packages | grep -v '[()]'
      sed -nE 's/.*packages\+=\(([a-z0-9]+)\)$/\1/p' tools/install-packages
      sed -E ':a; /\\$/ { N; s/ *\\\n\s*/ /; ba }' Makefile |
        sed -nE 's/^[A-Z]+_PACKAGES *= *(.+)/\1/p; s/.*tools\/install-packages (.+)/\1/p' | sed 's/\$([A-Z_]*)//g'; } |
    tr ' ' '\n' | sed '/^$/d' | sort -u) \
  <({ rows Libraries | words 4; rows Tools | words 1; } | sort -u)

# needs PROGRAM NAME: NAME is how the table calls it.
needs() {
  [ -e "$1" ] || return 0
  same "$2" \
    <(readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
      grep -vE '^(libc|libm|libstdc\+\+|libgcc_s|ld-linux-[a-z0-9-]+)\.so|^libsinew' | sort -u) \
    <(rows Libraries | grep -E "\| ([a-z-]+, )*$2(, [a-z-]+)* \|" | words 6)
}
needs "$build/lib/libsinew.so" libsinew
needs "$build/bin/sinew" sinew
needs "$build/bin/sinew-torch" sinew-torch
if readelf -d "$build/lib/libsinew_runtime.so" | grep NEEDED | grep -vE '\[(libc|libm|ld-linux-[a-z0-9-]+)\.so'; then
  complain "libsinew_runtime needs more than the C library"
fi

for folder in web tests/node tests/web; do
  same "$folder/package.json" \
    <(sed -nE '/ependencies"/,/\}/s/^ *"([^"]+)": "([0-9][^"]*)".*/\1 \2/p' "$folder/package.json" | sort) \
    <(rows "Packages of npm" | grep -F "\`$folder\`" | sed -E 's/^\| `([^`]+)` \| ([^ ]+) .*/\1 \2/' | sort)
done

# Versions and licences.
if grep -qs '^12' /etc/debian_version; then
  while IFS='|' read -r _ library version _ package _; do
    package=$(tr -d '` ' <<<"$package")
    real=$(dpkg-query -W -f='${Version}' "$package" 2>/dev/null) || continue
    case ${real#*:} in
      "${version// /}"*) ;;
      *) complain "$library: Debian's $package has version $real" ;;
    esac
  done < <(rows Libraries)
fi
rows Libraries | awk -F'|' '$4 ~ /GPL/ { print "copyleft:" $2; found = 1 } END { exit found }' || failed=1
grep -rn '#include <unsupported/' sinew apps include && complain "Eigen's unsupported folder holds LGPL files"

[ "$failed" = 0 ] && echo "THIRD_PARTY.md agrees with the build"
exit "$failed"
