#!/bin/sh
# Makes the pictures of real messy files in docs/methods/biharmonic.md:
#   docs/pictures/make_biharmonic_messy.sh FOLDER [folder of the programs]
# FOLDER holds the messy meshes, which are not part of this repository. Bodies get a fitted skeleton and its range of
# motion; everything else gets the bones of biharmonic_messy_handles.txt, bent.
set -eu
data=$(realpath "$1")
sinew=$(realpath "${2:-build/bin}")/sinew
pictures=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
look="--mode blended --no-ground --no-legend --quiet --samples 2 --size 115x115"

by_hand() {
  for path in "$@"; do
    name=$(basename "${path%.*}")
    box=$($sinew info --json "$data/$path" | tr -d ' \n' |
      sed 's/.*"box":{"max":\[\([^]]*\)\],"min":\[\([^]]*\)\].*/\1,\2/')
    awk -v name="$name" -v box="$box" -f "$pictures/handles_to_bvh.awk" "$pictures/biharmonic_messy_handles.txt" \
      > "$work/$name.bvh"
    $sinew bind "$data/$path" --skeleton "$work/$name.bvh" --joints all --method biharmonic -o "$work/$name.glb" --quiet
  done
}
fitted() {
  motion=$1
  shift
  for path in "$@"; do
    $sinew rig "$data/$path" --motion "$motion" --clip "$clip" --in-place --method biharmonic \
      -o "$work/$(basename "${path%.*}").glb" --quiet
  done
}

$sinew make-character "$work/human.glb" --garment bare --vertices 3000 --quiet
$sinew make-character "$work/animal.glb" --kind quadruped --vertices 3000 --quiet
by_hand man.off male02_open.obj elephant_with_holes.off rignet_1347.obj rignet_8210.obj mannequin_devil.off \
  soup_bunny_random_perturbation.off stanford_bunny_holes.obj degenerated_sd.off robot_arm.ply truck.obj \
  points_zaghetto_head_scan.pcd points_hippo1.ply beetle.obj
clip=rom
fitted "$work/human.glb" beast.obj ogre.obj rocketbox_Military_Male_01.obj smplx_neutral_open.obj voxel_003_Jimmy.obj \
  voxel_100_SaintClaus.obj
clip=0
fitted "$work/animal.glb" puppeteer_deer.obj

cd "$work"
$sinew render man.glb male02_open.glb elephant_with_holes.glb rignet_1347.glb rignet_8210.glb mannequin_devil.glb \
  soup_bunny_random_perturbation.glb stanford_bunny_holes.glb degenerated_sd.glb robot_arm.glb truck.glb \
  points_zaghetto_head_scan.glb --frame -1 --view three-quarter --columns 6 $look \
  --titles "man,male02,elephant,rignet 1347,rignet 8210,mannequin,bunny soup,bunny scan,degenerated sd,robot arm,truck,head cloud" \
  -o "$pictures/biharmonic_messy_handles.png"
$sinew render beast.glb ogre.glb rocketbox_Military_Male_01.glb smplx_neutral_open.glb voxel_003_Jimmy.glb \
  voxel_100_SaintClaus.glb --frame 332 --view three-quarter --columns 6 $look \
  --titles "beast,ogre,rocketbox,smplx,voxel Jimmy,voxel Claus" -o "$pictures/biharmonic_messy_fitted.png"
$sinew render beetle.glb --frame 0,-1 --view three-quarter --columns 2 $look --titles "at rest,bent" \
  -o "$pictures/biharmonic_messy_beetle.png"
$sinew render puppeteer_deer.glb points_hippo1.glb --frame 20 --view front --columns 2 $look \
  --titles "deer,hippo cloud" -o "$pictures/biharmonic_messy_animals.png"
