#!/usr/bin/env bash
# Fails when code of a room needs more than a plain x86-64 processor has. AVX belongs into files that say so
# (*_avx2.cpp) and into the clones of SINEW_MULTIVERSION functions: both are chosen at run time.
set -u
build=$1
if [ "$(uname -m)" != x86_64 ] || ! command -v objdump >/dev/null; then
  echo "skipped: needs an x86-64 machine with objdump"
  exit 0
fi
found=$(objdump -d --no-show-raw-insn "$build"/libsinew_*.a | awk '
  /^[^ ].*file format/ { alone = $1 ~ /_avx2\.cpp\.o:$/ }
  /^[0-9a-f]+ <.*>:$/ { name = $2; clone = name ~ /arch_x86_64_v3/ }
  !alone && !clone && $2 ~ /^v/ && /%[xyz]mm/ { print name }' | sort -u | c++filt)
seen=$(objdump -d --no-show-raw-insn "$build"/libsinew_runtime.a | grep -c '%ymm')
if [ "$seen" -eq 0 ]; then
  echo "no AVX code at all in the runtime room: this check looks at the wrong files, or skinning has lost its fast path"
  exit 1
fi
if [ -n "$found" ]; then
  echo "compiled with AVX outside the places that are chosen at run time:"
  echo "$found" | head -20
  exit 1
fi
