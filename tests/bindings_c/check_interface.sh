#!/usr/bin/env bash
# Fails unless bindings/c/interface.txt is the C interface of the headers and of the built library, docs/c.md names every
# function of it, docs/reference/c.md is what the headers say, and programs built with the interface of the last release
# still run.
#   check_interface.sh LIBSINEW_SO PYTHON CC
set -euo pipefail
cd "$(dirname "$0")/../.."
library=$1 python=$2 cc=$3
failed=0
complain() { echo "$*"; failed=1; }

listed=$(grep -oE '\bsinew_[a-z0-9_]+\(' bindings/c/interface.txt | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$library" | awk '$3 ~ /^sinew_/ { print $3 }' | sort -u)
[ "$(wc -l <<<"$listed")" -gt 60 ] || complain "bindings/c/interface.txt names hardly any function"
diff <("$python" bindings/c/interface.py list) bindings/c/interface.txt ||
  complain "the headers (<) and bindings/c/interface.txt (>) differ: members and functions may only be added at the end; then run bindings/c/interface.py list >bindings/c/interface.txt"
diff <(echo "$exported") <(echo "$listed") || complain "libsinew.so (<) and bindings/c/interface.txt (>) differ"

# The runtime has a page of its own.
runtime=$(grep -oE '\bsinew_[a-z0-9_]+\(' include/sinew/runtime/runtime_c.h | tr -d '(' | sort -u)
while read -r name; do
  grep -qF "\`$name\`" docs/c.md || complain "docs/c.md does not name $name"
done < <(comm -23 <(echo "$listed") <(echo "$runtime"))
while read -r name; do
  grep -qx "$name" <<<"$listed" || complain "docs/c.md names $name, which does not exist"
done < <(grep -oE '`sinew_[a-z0-9_]+`' docs/c.md | tr -d '`' | sort -u | grep -vE '^sinew_(c|result|character|painter|progress|status)$' |
  grep -vxFf <(sed -n 's/^struct \(sinew_[a-z_]*\),.*/\1/p' bindings/c/interface.txt))
diff <("$python" bindings/c/reference.py) docs/reference/c.md >/dev/null ||
  complain "docs/reference/c.md is not what the headers say: run bindings/c/reference.py >docs/reference/c.md"
bindings/c/check-abi "$python" "$cc" || failed=1
[ "$failed" = 0 ] && echo "$(wc -l <<<"$listed") functions: headers, library, list and page agree"
exit "$failed"
