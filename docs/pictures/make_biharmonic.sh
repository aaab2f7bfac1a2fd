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
painted="--method dqs --motion rom --no-ground --size 260x260 --quiet --samples 4"
$sinew bind "$work/hero.glb" --method biharmonic -o "$work/neumann.glb" --quiet >/dev/null
$sinew bind "$work/hero.glb" --method biharmonic --boundary natural -o "$work/natural.glb" --quiet >/dev/null
$sinew render "$work/natural.glb" "$work/neumann.glb" --mode weights --joint LeftArm --zoom LeftArm --view three-quarter \
  --frame 332 --columns 2 --titles "natural,neumann" $look -o "$pictures/biharmonic_boundary.png"

cat > "$work/pins.json" <<'END'
{"pins": [{"position": [0, 1.32, 0.12], "radius": 0.07, "weights": {"Head": 1}}]}
END
$sinew bind "$work/hero.glb" --method biharmonic --pins "$work/pins.json" -o "$work/painted.glb" --quiet >/dev/null
$sinew render "$work/neumann.glb" "$work/painted.glb" --mode weights --joint Head --view three-quarter --zoom Spine2 \
  --columns 2 --titles "before,a patch of the chest painted to follow the head" $painted -o "$pictures/biharmonic_painting.png"
$sinew render "$work/neumann.glb" --mode blended --view top --zoom LeftHandMiddle2 --size 300x300 --samples 4 --no-ground \
  --no-legend --quiet -o "$pictures/biharmonic_fingers.png"

# A bone 0.004 from the wall of a narrow gap.
awk -f "$pictures/fork.awk" > "$work/fork.obj"
awk -v name=fork -v box="2,0.26,0.25,0,-0.26,0" -f "$pictures/handles_to_bvh.awk" "$pictures/fork_handles.txt" > "$work/fork.bvh"
for method in proximity biharmonic; do
  $sinew bind "$work/fork.obj" --skeleton "$work/fork.bvh" --joints upper,lower --method $method -o "$work/fork_$method.glb" --quiet
done
$sinew render "$work/fork_proximity.glb" "$work/fork_biharmonic.glb" --mode weights --joint upper --frame -1 --view front \
  --columns 2 --titles "nearest bones (proximity),biharmonic" --no-ground --size 330x220 --samples 4 --quiet \
  -o "$pictures/biharmonic_near_wall.png"

# The body with more and more of its triangles missing, at rest and bent.
$sinew convert "$work/hero.glb" "$work/hero.obj" --quiet
$sinew bind "$work/hero.glb" --method biharmonic --resolution 3000 -o "$work/degraded_0.glb" --quiet >/dev/null
for missing in 30 50 70; do
  awk -v missing=0.$missing -v shake=0.002 -f "$pictures/degrade.awk" "$work/hero.obj" > "$work/degraded_$missing.obj"
  $sinew bind "$work/degraded_$missing.obj" --skeleton "$work/hero.glb" --method biharmonic --resolution 3000 \
    -o "$work/degraded_$missing.glb" --quiet >/dev/null
done
$sinew render "$work/degraded_0.glb" "$work/degraded_30.glb" "$work/degraded_50.glb" "$work/degraded_70.glb" \
  --mode blended --motion rom --frame 0,332 --view three-quarter --size 140x170 --samples 2 --no-ground --no-legend \
  --columns 4 --titles "whole,whole bent,30 % missing,30 % bent,50 % missing,50 % bent,70 % missing,70 % bent" --quiet \
  -o "$pictures/biharmonic_degraded.png"
