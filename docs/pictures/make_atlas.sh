#!/bin/sh
# Makes the pictures of docs/methods/atlas.md: docs/pictures/make_atlas.sh [path of the sinew program]
set -eu
sinew=${1:-build/bin/sinew}
pictures=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
$sinew make-character "$work/hero.glb" --garment bare --vertices 12000 --quiet

for k in 0.1 0.5 1 2; do
  $sinew bind "$work/hero.glb" --method atlas --softness $k -o "$work/k_$k.glb" --quiet >/dev/null
done
strip="$work/k_0.1.glb $work/k_0.5.glb $work/k_1.glb $work/k_2.glb"
look="--mode weights --method dqs --motion rom --no-ground --size 300x260 --columns 4 --quiet"
$sinew render $strip $look --joint LeftForeArm --zoom LeftForeArm --view top --frame 332 \
  --titles "K = 0.1,K = 0.5,K = 1,K = 2" -o "$pictures/atlas_elbow.png"
$sinew render $strip $look --joint LeftUpLeg --zoom LeftUpLeg --view side --frame 636 \
  --titles "K = 0.1,K = 0.5,K = 1,K = 2" -o "$pictures/atlas_pelvis.png"

$sinew bind "$work/hero.glb" --method atlas --distance euclidean --softness 0.5 -o "$work/euclidean.glb" --quiet >/dev/null
$sinew bind "$work/hero.glb" --method atlas --distance geodesic --softness 0.5 -o "$work/geodesic.glb" --quiet >/dev/null
$sinew bind "$work/hero.glb" --method atlas --distance harmonic --softness 0.4 -o "$work/harmonic.glb" --quiet >/dev/null
three="$work/euclidean.glb $work/geodesic.glb $work/harmonic.glb"
$sinew render $three --mode weights --joint LeftUpLeg --zoom LeftUpLeg --view three-quarter --motion rom --frame 636 \
  --method dqs --no-ground --size 400x340 --columns 3 --quiet \
  --titles "euclidean K = 0.5,geodesic K = 0.5,harmonic K = 0.4" -o "$pictures/atlas_distances.png"

for method in proximity heat atlas; do
  $sinew bind "$work/hero.glb" --method $method -o "$work/$method.glb" --quiet >/dev/null
done
$sinew render "$work/proximity.glb" "$work/heat.glb" "$work/atlas.glb" --mode blended --motion rom --frame 636 \
  --view three-quarter --method lbs --size 400x520 --columns 3 --quiet --titles "proximity,heat,atlas" \
  -o "$pictures/bind_methods.png"
