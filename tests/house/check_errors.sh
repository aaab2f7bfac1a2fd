#!/usr/bin/env bash
# Fails when docs/errors.md and docs/warnings.md do not list exactly the codes there are, when a code is used nowhere, or
# when a message of the library speaks of command-line flags or commands: those are for apps/cli/flag_advice.cpp to add.
set -uo pipefail
cd "$(dirname "$0")/../.."
failed=0
complain() { echo "$1"; failed=1; }

# same WHAT FIRST SECOND: two lists, one line each entry.
same() {
  local difference
  difference=$(diff <(sort <<<"$2") <(sort <<<"$3")) || complain "$1:"$'\n'"$difference"
}

enumerators=$(sed -n '/^enum class ErrorCode/,/^};/s/^  \([a-z_]*\) = \([0-9]*\),.*/\2 \1/p' include/sinew/error.h)
hyphened=$(tr _ - <<<"$enumerators")
[ "$(wc -l <<<"$enumerators")" -gt 40 ] || complain "include/sinew/error.h: the list of codes could not be read"
table=$(sed -n 's/^ *{ErrorCode::\([a-z_]*\), "\([a-z-]*\)"},$/\1 \2/p' sinew/base/error.cpp)
same "include/sinew/error.h (<) and the names in sinew/base/error.cpp (>) differ" \
  "$(awk '{ name = $2; gsub("_", "-", name); print $2, name }' <<<"$enumerators")" "$table"
same "include/sinew/error.h (<) and docs/errors.md (>) differ" "$hyphened" \
  "$(sed -n 's/^| \([0-9]*\) | `\([a-z-]*\)` |.*/\1 \2/p' docs/errors.md)"
while read -r _ name; do
  grep -rqE "ErrorCode::$name\b" sinew apps --include='*.cpp' --include='*.h' --exclude=error.cpp \
    --exclude=flag_advice.cpp || complain "no code throws ErrorCode::$name"
done <<<"$enumerators"

# Warnings are pushed with their code in quotes, or by a function or lambda called warn that takes it.
beginning='(?s)(arnings?_?\.push_back\(\s*\{|\.warn\(\{\{|Warnings?\s*\{\s*\{?|\bwarn\([^;{}"]*)\s*'
warnings=$(grep -rPzoh --include='*.cpp' --include='*.h' "$beginning\"[a-z][a-z-]*\"" sinew apps | tr '\0' '\n' |
  grep -oE '"[a-z][a-z-]*"$' | tr -d '"' | sort -u)
same "warnings in the source (<) and in docs/warnings.md (>) differ" "$warnings" \
  "$(sed -n 's/^| `\([a-z-]*\)` |.*/\1/p' docs/warnings.md)"
hidden=$(grep -rPzo --include='*.cpp' '(?s)arnings?_?\.push_back\(\s*\{(?!\s*"|code,)[^;]{0,40}' sinew apps | tr '\0' '\n')
[ -z "$hidden" ] || complain "a warning whose code this test cannot read: $hidden"

flags=$(grep -rnE --include='*.cpp' --include='*.h' '"[^"]*((^|[^-<!])--[a-z]|\bsinew [a-z])' sinew include bindings/c |
  grep -vE '^[^:]*:[0-9]*: *//|#include')
[ -z "$flags" ] || complain "the library speaks of flags or commands:"$'\n'"$flags"

[ "$failed" = 0 ] && echo "errors and warnings are as documented, and the library speaks of no flags"
exit "$failed"
