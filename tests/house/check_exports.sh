#!/usr/bin/env bash
# Fails unless the shared libraries export exactly what public headers mark with SINEW_API, under the SONAME that the
# version asks for.
#   check_exports.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1
failed=0
complain() { echo "$*"; failed=1; }

number() { sed -n "s/^#define SINEW_VERSION_$1 //p" include/sinew/version.h; }
soversion=$(number MAJOR)
[ "$soversion" != 0 ] || soversion=0.$(number MINOR)

# check LIBRARY header…
check() {
  local library=$build/lib/lib$1.so exported marked classes name
  soname=$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
  [ "$soname" = "lib$1.so.$soversion" ] || complain "$library has the SONAME $soname"
  # "sinew::load_character", "sinew::Error", "sinew_correctives_open": without arguments, classes instead of members.
  exported=$(nm -D --defined-only -C "$library" | cut -d' ' -f3- |
    sed -E 's/^(typeinfo|typeinfo name|vtable) for //; s/\[abi:[a-z0-9]+\]//; s/\(.*//; s/^(sinew::[A-Z][A-Za-z0-9]*)::.*/\1/' | sort -u)
  marked=$(cd include/sinew && sed -nE '
    s/^SINEW_API [^(]*[ &*](sinew_[a-z0-9_]+)\(.*/\1/p; t
    s/^SINEW_API [^(]*[ &*]([a-z0-9_]+)\(.*/sinew::\1/p; t
    s/^(class|struct) SINEW_API ([A-Za-z0-9]+).*/sinew::\2/p' "${@:2}" | sort -u)
  [ "$(wc -w <<<"$marked")" -gt 3 ] || complain "$1: SINEW_API is hardly found in public headers"
  for name in $(comm -23 <(echo "$exported") <(echo "$marked")); do complain "lib$1.so exports $name, which no public header marks"; done
  for name in $(comm -13 <(echo "$exported") <(echo "$marked")); do complain "lib$1.so does not export $name"; done
  echo "lib$1.so exports $(nm -D --defined-only "$library" | wc -l) symbols of $(wc -l <<<"$marked") functions and classes"
}

# shellcheck disable=SC2046
check sinew $(cd include/sinew && find . -name '*.h')
# shellcheck disable=SC2046
check sinew_runtime $(sed -n 's/^runtime *|.*|//p' sinew/rooms.txt)
exit "$failed"
