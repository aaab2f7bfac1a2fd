"""Characters of the library as objects of Blender, for the tests. Their weights are exact, so that results can be measured."""
import sys

import bpy
import numpy as np
from mathutils import Matrix

ADDON = "sinew_rigging"


def addon():
    """The installed add-on's package."""
    return sys.modules[ADDON]


def library():
    return addon().library.sinew


def empty_scene():
    """Nothing but a scene. Keeps the add-on, which a factory reset would turn off."""
    if bpy.context.object is not None and bpy.context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for collection in (bpy.data.objects, bpy.data.meshes, bpy.data.armatures, bpy.data.actions):
        for item in list(collection):
            collection.remove(item)
    bpy.context.scene.unit_settings.scale_length = 1.0
    settings = bpy.context.scene.sinew
    for name in settings.bl_rna.properties.keys():
        settings.property_unset(name)
    for name in list(settings.keys()):
        del settings[name]
    return settings


def to_blender(points):
    """Y up to Z up."""
    points = np.asarray(points, float)
    return np.stack([points[:, 0], -points[:, 2], points[:, 1]], axis=1)


def make_mesh(name, vertices, faces, matrix=None):
    """`vertices` in world space; the object stands at `matrix`."""
    matrix = Matrix(matrix) if matrix is not None else Matrix.Identity(4)
    inverse = np.array(matrix.inverted())
    local = vertices @ inverse[:3, :3].T + inverse[:3, 3]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(local.tolist(), [], np.asarray(faces).tolist())
    item = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(item)
    item.matrix_world = matrix
    return item


def make_armature(name, character, matrix=None):
    """Bones from each joint to its first child or end marker."""
    matrix = Matrix(matrix) if matrix is not None else Matrix.Identity(4)
    armature = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.collection.objects.link(armature)
    armature.matrix_world = matrix
    inverse = np.array(matrix.inverted())
    heads = to_blender(character.joint_positions) @ inverse[:3, :3].T + inverse[:3, 3]
    kinds, parents, made = character.joint_kinds, character.parents, {}
    select_only(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    for joint, joint_name in enumerate(character.joint_names):
        if kinds[joint] == "end":
            continue
        bone = armature.data.edit_bones.new(joint_name)
        children = [child for child in np.nonzero(parents == joint)[0]
                    if np.linalg.norm(heads[child] - heads[joint]) > 1e-4]
        away = heads[joint] - heads[parents[joint]] if parents[joint] >= 0 else np.array([0, 0, 0.1])
        bone.head, bone.tail = heads[joint], heads[children[0]] if children else heads[joint] + 0.5 * away
        if parents[joint] >= 0:
            bone.parent = made[parents[joint]]
        made[joint] = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def select_only(*items):
    """The last one is active."""
    for item in bpy.context.scene.objects:
        item.select_set(item in items)
    bpy.context.view_layer.objects.active = items[-1]
    bpy.context.view_layer.update()


def person(vertices=2000, **options):
    """(character, mesh object, armature object), apart from each other and both selected."""
    character = library().make_character("adult", vertices=vertices, **options)
    body = make_mesh("Body", to_blender(character.vertices), character.faces)
    armature = make_armature("Armature", character)
    select_only(body, armature)
    return character, body, armature


def weights_of(item, names):
    return addon().read.read_rows(item, names)


def write_weights(item, names, rows):
    for _ in addon().write.write_rows(item, names, np.zeros_like(rows), rows):
        pass
