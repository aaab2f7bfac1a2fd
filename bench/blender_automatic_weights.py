"""Sinew's Bind beside Blender's own Automatic Weights, inside Blender, on characters with an artist's weights.

  blender --background --factory-startup --python-exit-code 1 --python bench/blender_automatic_weights.py -- \
    out/addon/sinew_rigging-0.1.0.zip FOLDER_OF_CHARACTERS [NAME…] [--markdown FILE]

Both get the same objects: the mesh welded, bones that the artist gave weight set to deform, at most four influences.
Errors are mean distances to the artist's deformation over the bounding diagonal (docs/metrics.md). Seconds are those of the
processor, of all threads, for the whole operator with reading and writing of vertex groups.
"""
import argparse
import os
import sys
import time
from pathlib import Path

import bpy
import numpy as np

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "tests" / "blender"))
sys.dont_write_bytecode = True
TEN = ["CesiumMan", "Fox", "KayKit_Knight", "mannequiny", "ozz_arnaud", "pm_003_Hexabear", "quaternius_Trex",
       "quaternius_Wolf", "raylib_robot", "rocketbox_Female_Adult_01"]


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("zip")
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", default=TEN)
    parser.add_argument("--markdown", type=Path)
    return parser.parse_args(sys.argv[sys.argv.index("--") + 1:])


def skinned_alone(character):
    """Without attached and fixed parts, which no tool binds: their vertices keep the truth."""
    moving = np.ones(len(character.vertices), bool)
    for part in character.parts:
        moving[part.vertices] = part.binding == "skinned"
    return moving


def make_scene(scenes, character, truth):
    """(mesh object, armature, its vertex for each vertex of the character or -1, vertices that are skinned, joint of each
    bone)."""
    moving = skinned_alone(character)
    faces = character.faces[moving[character.faces].all(axis=1)]
    places, welded = np.unique(character.vertices, axis=0, return_inverse=True)
    welded = welded.ravel()
    own = np.unique(welded[faces])
    number = np.full(len(places), -1)
    number[own] = np.arange(len(own))
    triangles = number[welded[faces]]
    whole = (triangles[:, 0] != triangles[:, 1]) & (triangles[:, 1] != triangles[:, 2]) & (triangles[:, 2] != triangles[:, 0])
    body = scenes.make_mesh("Body", scenes.to_blender(places[own]), triangles[whole])
    armature, joint_of = make_armature(scenes, character)
    used = truth.max(axis=0) > 1e-3
    for bone, joint in joint_of.items():
        armature.data.bones[bone].use_deform = bool(used[joint])
    return body, armature, number[welded], moving, joint_of


def bone_tail(scenes, character, joint, heads, size):
    """Where the child begins that continues the bone. The last bone of a chain goes along the axis on which the others
    hold their children, which is where it went in the program that the file is from."""
    parents = character.parents
    children = np.nonzero(parents == joint)[0]
    tail = scenes.addon().fit._tail(joint, heads, parents, character.joint_kinds, size)
    if len(children) or parents[joint] < 0:
        return tail
    axes = character.rest[:, :3, :3] / np.linalg.norm(character.rest[:, :3, :3], axis=1, keepdims=True)
    votes = np.zeros(6)
    for child, parent in enumerate(parents):
        offset = character.joint_positions[child] - character.joint_positions[parent]
        if parent >= 0 and (parents == parent).sum() == 1 and np.linalg.norm(offset) > 1e-4 * size:
            along = axes[parent].T @ offset / np.linalg.norm(offset)
            votes[2 * np.abs(along).argmax() + (along[np.abs(along).argmax()] < 0)] += np.abs(along).max() > 0.95
    if votes.max() < 0.6 * max(votes.sum(), 1):
        return tail
    axis = (-1 if votes.argmax() % 2 else 1) * axes[joint][:, votes.argmax() // 2]
    return heads[joint] + np.linalg.norm(tail - heads[joint]) * scenes.to_blender(axis[None])[0]


def make_armature(scenes, character):
    """(object, {bone name: joint}). Bones end where artists let them end: at the child that continues them."""
    item = bpy.data.objects.new("Armature", bpy.data.armatures.new("Armature"))
    bpy.context.collection.objects.link(item)
    heads, parents, kinds = scenes.to_blender(character.joint_positions), character.parents, character.joint_kinds
    size = float(np.linalg.norm(np.ptp(heads, axis=0)))
    made, names = {}, {}
    scenes.select_only(item)
    bpy.ops.object.mode_set(mode="EDIT")
    for joint, name in enumerate(character.joint_names):
        if kinds[joint] != "joint":
            continue
        bone = item.data.edit_bones.new(name)
        bone.head, bone.tail = heads[joint], bone_tail(scenes, character, joint, heads, size)
        above = parents[joint]
        while above >= 0 and above not in made:
            above = parents[above]
        if above >= 0:
            bone.parent = made[above]
        made[joint] = bone
        names[bone.name] = joint
    bpy.ops.object.mode_set(mode="OBJECT")
    return item, names


def measure(scenes, path, operator):
    """(metrics, vertices without weight, seconds) of one operator on one character."""
    scenes.empty_scene()
    truth = scenes.library().load(path)
    artist = truth.dense_weights()
    body, armature, number, moving, joint_of = make_scene(scenes, truth, artist)
    scenes.select_only(body, armature)
    begin = time.process_time()
    operator()
    seconds = time.process_time() - begin
    names = list(joint_of)
    rows = scenes.weights_of(body, names)
    unweighted = int((rows.sum(axis=1) < 1e-6).sum())
    strongest = -np.sort(-rows, axis=1)[:, :4]
    rows = np.where(rows >= strongest[:, -1:], rows, 0)
    candidate = truth.copy()
    weights = artist.copy()
    known = (number >= 0) & moving
    weights[known] = 0
    weights[np.ix_(np.nonzero(known)[0], [joint_of[name] for name in names])] = rows[number[known]]
    empty = weights.sum(axis=1) == 0
    root = int(np.nonzero(truth.parents < 0)[0][0])
    weights[empty, root] = 1  # Blender leaves such vertices where they are
    candidate.weights = weights
    metrics = candidate.evaluate(truth, random_poses=24, intersection_poses=0, max_influences=4)["metrics"]
    return metrics, unweighted, seconds


def blender_automatic():
    bpy.ops.object.parent_set(type="ARMATURE_AUTO")


def file_of(folder, name):
    path = next((p for p in sorted(folder.glob(name + ".*")) if p.suffix in (".glb", ".fbx")), None)
    if path is None:
        sys.exit(f"there is no {name} in {folder}")
    return path


def main():
    given = arguments()
    bpy.ops.preferences.addon_install(filepath=given.zip)
    bpy.ops.preferences.addon_enable(module="sinew_rigging")
    import scenes
    lines = ["| character | Sinew: error | without weight | s | Blender: error | without weight | s |",
             "|---|---|---|---|---|---|---|"]
    errors = []
    for name in given.names:
        path = file_of(given.folder, name)
        cells = []
        for operator in (bpy.ops.sinew.bind, blender_automatic):
            metrics, unweighted, seconds = measure(scenes, path, operator)
            error = metrics["ade"]
            cells += [f"{error:.5f}", str(unweighted), f"{seconds:.2f}"]
            errors.append(error)
        lines.append(f"| {name} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    means = [float(np.exp(np.mean(np.log(errors[side::2])))) for side in (0, 1)]
    lines.append(f"| **geometric mean** | **{means[0]:.5f}** | | | **{means[1]:.5f}** | | |")
    print("\n".join(lines))
    if given.markdown:
        given.markdown.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
    os._exit(0)
