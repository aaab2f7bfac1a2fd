#!/bin/sh
# Makes the film strips of docs/retarget.md: docs/pictures/make_retarget.sh [sinew program] [folder of data]
# Four clips on five very different bodies; the data folder has motion/ and characters/ (CC0 and MIT files alone).
set -eu
sinew=${1:-build/bin/sinew}
data=${2:-../shared/data}
pictures=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for kind in child toon bulky; do
  $sinew make-character "$work/body_$kind.glb" --kind $kind --seed 2 --vertices 8000 --quiet
done
ln -s "$(realpath "$data")/characters/KayKit_Knight.glb" "$work/body_knight.glb"
ln -s "$(realpath "$data")/characters/mannequiny.glb" "$work/body_doll.glb"

strip() { # picture, clip, motion of the file, moments in seconds
  played=
  for body in child toon bulky knight doll; do
    $sinew retarget "$data/motion/$2" "$work/body_$body.glb" --motion "$3" --fps 30 -o "$work/$1_$body.glb" --quiet
    played="$played $work/$1_$body.glb"
  done
  $sinew render $played --motion 0 --times "$4" --columns 6 --size 100x100 --view "$5" --follow --no-legend --samples 16 \
    -o "$pictures/retarget_$1.png" --quiet
}
strip cartwheel cmu/90_02.bvh 0 2.2,2.6,3.0,3.4,3.8,4.4 side
strip pushup kaykit/Med_Simulation.glb "Rig_Medium|Push_Ups" 0,0.2,0.4,0.6,0.8,1 side
strip clap rocketbox/m_cheer_02.fbx 0 13,13.2,13.4,13.6,13.8,14 front
strip dance rocketbox/m_dancing_neutral.fbx 0 8,9.5,11,12.5,14,15.5 three-quarter
