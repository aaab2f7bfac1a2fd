#!/usr/bin/env bash
# Fails when the runtime needs more than the C library and what the compiler adds to every program: another library, an
# allocation, an exception, a guarded or writable variable, code that runs before main.
#   check_needs.sh RUNTIME_ARCHIVE PROGRAM_IN_C C_COMPILER
set -u
archive=$1 program=$2 compiler=$3
for tool in nm readelf objdump; do
  command -v "$tool" >/dev/null || { echo "skipped: needs $tool"; exit 77; }
done
if nm -u "$archive" | grep -qE '__(asan|ubsan|tsan|msan|sanitizer|gcov|llvm)_'; then
  echo "skipped: instrumented code needs its own libraries"
  exit 77
fi
failed=0
complain() { echo "$1"; failed=1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Symbols. __cpu_model comes with the compiler and says which instructions the processor has.
allowed='^(mem(cpy|move|set|cmp)|clock_gettime|sqrtf?|__cpu_model|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_)$'
nm --defined-only "$archive" | awk 'NF == 3 { print $3 }' | sort -u >"$work/defined"
nm -u "$archive" | awk '$1 == "U" { print $2 }' | sort -u | comm -23 - "$work/defined" >"$work/undefined"
grep -q '^memcpy$' "$work/undefined" || complain "not even memcpy is needed: this check looks at the wrong file"
while read -r symbol; do complain "needs $symbol"; done < <(grep -vE "$allowed" "$work/undefined")
while read -r symbol; do complain "has a guarded variable: $symbol"; done < <(grep -E '^_ZGV' "$work/defined")

# Memory that can be written to, and code that runs by itself. .data.rel.ro is constant once the program is loaded.
while read -r section size; do
  complain "section $section holds $((16#$size)) bytes"
done < <(readelf -SW "$archive" | sed -n 's/^ *\[ *[0-9]*\] //p' |
  awk '$1 ~ /^\.(data|bss|tdata|tbss|init_array|ctors|fini_array|dtors|gcc_except_table)/ &&
       $1 !~ /^\.data\.rel\.ro/ && $5 != "000000" { print $1, $5 }')

# What gets loaded beside it.
needs_libc_alone() {
  local libraries
  libraries=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
  [ -n "$libraries" ] || complain "$2 needs no library at all: this check looks at the wrong file"
  for library in $libraries; do
    case $library in
      libc.so.* | libm.so.* | ld-linux*) ;;
      *) complain "$2 needs $library" ;;
    esac
  done
}
needs_libc_alone "$program" "a program in C"
if "$compiler" -shared -o "$work/runtime.so" -Wl,--no-undefined -Wl,--whole-archive "$archive" -Wl,--no-whole-archive; then
  needs_libc_alone "$work/runtime.so" "a shared library"
else
  complain "the C compiler does not link the runtime alone"
fi
[ "$failed" = 0 ] && echo "the runtime needs nothing but the C library: $(paste -sd' ' "$work/undefined")"
exit "$failed"
