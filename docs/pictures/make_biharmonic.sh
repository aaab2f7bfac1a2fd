#!/bin/sh
# Makes the pictures of docs/methods/biharmonic.md: docs/pictures/make_biharmonic.sh [folder of the programs]
# Needs example_look_inside, which the tests build.
set -eu
programs=${1:-build/bin}
sinew=$programs/sinew
pictures=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$programs/example_look_inside" "$work" 5000
cp "$work/inside.png" "$pictures/biharmonic_inside.png"

$sinew make-character "$work/hero.glb" --garment bare --vertices 6000 --quiet
look="--method dqs --motion rom --no-ground --size 330x330 --quiet --samples 8"
$sinew bind "$work/hero.glb" --method biharmonic -o "$work/neumann.glb" --quiet >/dev/null
$sinew bind "$work/hero.glb" --method biharmonic --boundary natural -o "$work/natural.glb" --quiet >/dev/null
$sinew render "$work/natural.glb" "$work/neumann.glb" --mode weights --joint LeftArm --zoom LeftArm --view three-quarter \
  --frame 332 --columns 2 --titles "natural,neumann" $look -o "$pictures/biharmonic_boundary.png"

cat > "$work/pins.json" <<'END'
{"pins": [{"position": [0, 1.32, 0.12], "radius": 0.07, "weights": {"Head": 1}}]}
END
$sinew bind "$work/hero.glb" --method biharmonic --pins "$work/pins.json" -o "$work/painted.glb" --quiet >/dev/null
$sinew render "$work/neumann.glb" "$work/painted.glb" --mode weights --joint Head --view three-quarter --zoom Spine2 \
  --columns 2 --titles "before,a patch of the chest painted to follow the head" $look -o "$pictures/biharmonic_painting.png"
