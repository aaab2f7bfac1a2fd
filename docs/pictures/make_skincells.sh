#!/bin/sh
# Makes the pictures of docs/methods/skincells.md: docs/pictures/make_skincells.sh [folder of the programs]
# Needs bench_skincells (make bench-build builds it into build-bench/bin).
set -eu
programs=${1:-build-bench/bin}
sinew=$programs/sinew
pictures=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$programs/bench_skincells" comparison lods softness garment --save "$work"
