"""blender --background --factory-startup --python pose_in_blender.py -- FOLDER...

Imports FOLDER/character.fbx, plays it and compares the corners of all triangles with FOLDER/positions.f32. Prints one
line per folder: the largest distance over the diagonal, or what is wrong. Exit code 1 when anything is."""
import array
import json
import math
import os
import sys

import bpy
import numpy

if not hasattr(numpy, "bool"):
    numpy.bool = bool


def play(motion, name, fps, seconds):
    """Every object with an action of that take plays it."""
    ending = f"|{name}|BaseLayer"
    found = 0
    for thing in bpy.data.objects:
        action = bpy.data.actions.get((thing.name + ending)[:63])
        if action is not None:
            thing.animation_data_create().action = action
            found += 1
    frame = 1.0 + seconds * fps
    whole = math.floor(frame + 1e-9)
    bpy.context.scene.frame_set(whole, subframe=max(0.0, frame - whole))
    return found


def corners(part):
    """Positions of the corners of an object's triangles in the world, Y up."""
    thing = bpy.data.objects[part["name"]].evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = thing.data
    if len(mesh.polygons) != part["triangles"]:
        raise ValueError(f"{part['name']} has {len(mesh.polygons)} polygons instead of {part['triangles']}")
    points = numpy.empty(3 * len(mesh.vertices))
    mesh.vertices.foreach_get("co", points)
    loops = numpy.empty(len(mesh.loops), dtype=numpy.int32)
    mesh.loops.foreach_get("vertex_index", loops)
    world = numpy.array(thing.matrix_world)
    points = points.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
    x, y, z = points[loops].T
    return numpy.stack([x, z, -y], axis=1)


def check(folder):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="io_scene_fbx")
    with open(os.path.join(folder, "character.json")) as file:
        expected = json.load(file)
    bpy.ops.import_scene.fbx(filepath=os.path.join(folder, "character.fbx"))
    scene = bpy.context.scene
    fps = scene.render.fps / scene.render.fps_base
    for thing in bpy.data.objects:
        if thing.type == "ARMATURE" and max(abs(s - 1.0) for s in thing.scale) > 1e-5:
            return f"the armature {thing.name} has the scale {tuple(thing.scale)}"
    armatures = [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]
    if len(armatures) > 1:
        return f"there are {len(armatures)} armatures"
    triangles = sum(part["triangles"] for part in expected["parts"])
    numbers = numpy.fromfile(os.path.join(folder, "positions.f32"), dtype=numpy.float32)
    worst, where = 0.0, ""
    for pose, theirs in zip(expected["poses"], numbers.reshape(-1, triangles * 3, 3)):
        if not play(pose["motion"], pose["name"], fps, pose["seconds"]):
            return f"no action of '{pose['name']}'"
        first = 0
        for part in expected["parts"]:
            last = first + 3 * part["triangles"]
            if part["triangles"] > 0:
                far = float(numpy.abs(corners(part) - theirs[first:last]).max()) / expected["diagonal"]
                if far > worst:
                    worst, where = far, f"{part['name']} in '{pose['name']}' at {pose['seconds']:.3f} s"
            first = last
    pictures = sum(1 for image in bpy.data.images if image.size[0] > 0)
    print(f"{expected.get('input', os.path.basename(folder))}: Blender agrees within {worst:.1e} of the diagonal, "
          f"{len(bpy.data.materials)} materials, {pictures} pictures ({where})")
    return None if worst < 1e-5 else f"differs by {worst:.2e} of the diagonal: {where}"


failures = 0
for folder in sys.argv[sys.argv.index("--") + 1:]:
    try:
        problem = check(folder)
    except Exception as error:
        problem = repr(error)
    if problem:
        failures += 1
        print(f"FAILED {os.path.basename(folder)} in Blender: {problem}")
sys.exit(1 if failures else 0)
