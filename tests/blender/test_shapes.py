"""Correctives and levels of detail."""
import math
import unittest

import bpy
import numpy as np
from mathutils import Matrix, Quaternion

from scenes import addon, empty_scene, make_armature, make_mesh, person, library, select_only, to_blender, weights_of


def tube(rings=25, sides=10):
    """An arm along X with two bones and an end marker, and its faces."""
    angles = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    ring = np.stack([np.zeros(sides), 0.4 * np.cos(angles), 0.4 * np.sin(angles)], axis=1)
    vertices = np.concatenate([ring + [4 * i / (rings - 1), 0, 0] for i in range(rings)] + [[[0, 0, 0], [4, 0, 0]]])
    faces = []
    for i in range(rings - 1):
        for j in range(sides):
            a, b = i * sides + j, i * sides + (j + 1) % sides
            faces += [[a, b, b + sides], [a, b + sides, a + sides]]
    for j in range(sides):
        faces += [[rings * sides, (j + 1) % sides, j],
                  [rings * sides + 1, (rings - 1) * sides + j, (rings - 1) * sides + (j + 1) % sides]]
    arm = library().Character(vertices, faces)
    arm.set_skeleton(["upper", "lower", "end"], [-1, 0, 1], [(0, 0, 0), (2, 0, 0), (4, 0, 0)], ["joint", "joint", "end"])
    return arm


def evaluated(item):
    bpy.context.view_layer.update()
    mesh = item.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    positions = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", positions)
    return positions.reshape(-1, 3).astype(float)


def volume(vertices, faces):
    a, b, c = (vertices[faces[:, corner]] for corner in range(3))
    return abs(np.sum(a * np.cross(b, c)) / 6)


class Correctives(unittest.TestCase):
    def setUp(self):
        self.settings = empty_scene()
        self.settings.corrective_cells = 400
        character = tube()
        self.faces = character.faces.astype(int)
        self.arm = make_mesh("Arm", to_blender(character.vertices), self.faces, Matrix.Scale(0.5, 4))
        self.armature = make_armature("Armature", character, Matrix.Translation((1, 0, 0)))
        select_only(self.arm, self.armature)
        bpy.ops.sinew.bind()
        self.lower = self.armature.pose.bones["lower"]
        self.lower.rotation_mode = "QUATERNION"
        for bone in self.armature.data.bones:
            bone.select = bone.name == "lower"

    def bend(self, degrees, axis=(1, 0, 0)):
        self.lower.rotation_quaternion = Quaternion(axis, math.radians(degrees))
        bpy.context.view_layer.update()

    def test_a_shape_key_that_keeps_the_volume_and_its_driver(self):
        rest = volume(evaluated(self.arm), self.faces)
        self.bend(70)
        skinned = volume(evaluated(self.arm), self.faces)
        bpy.ops.sinew.corrective()
        key = self.arm.data.shape_keys.key_blocks["lower 70°"]
        self.assertTrue(self.arm.data.shape_keys.animation_data.drivers[0].driver.is_simple_expression)
        corrected = volume(evaluated(self.arm), self.faces)
        # Skinning alone loses volume; flesh does not.
        self.assertLess(skinned, 0.985 * rest)
        self.assertLess(abs(corrected - rest), 0.4 * abs(skinned - rest))
        for degrees, axis, value in ((0, (1, 0, 0), 0), (70, (1, 0, 0), 1), (35, (1, 0, 0), 0.5), (100, (1, 0, 0), 1),
                                     (-70, (1, 0, 0), 0), (60, (0, 1, 0), 0), (60, (0, 0, 1), 0)):
            self.bend(degrees, axis)
            evaluated(self.arm)
            found = self.arm.data.shape_keys.evaluated_get(bpy.context.evaluated_depsgraph_get()).key_blocks[1].value
            self.assertAlmostEqual(found, value, places=3, msg=f"{degrees} about {axis}")
        # The sign of a quaternion means nothing.
        self.lower.rotation_quaternion = -Quaternion((1, 0, 0), math.radians(35))
        evaluated(self.arm)
        keys = self.arm.data.shape_keys.evaluated_get(bpy.context.evaluated_depsgraph_get())
        self.assertAlmostEqual(keys.key_blocks[1].value, 0.5, places=3)
        # Again replaces it.
        self.bend(70)
        bpy.ops.sinew.corrective()
        self.assertEqual([block.name for block in self.arm.data.shape_keys.key_blocks], ["Basis", key.name])
        self.assertEqual(len(self.arm.data.shape_keys.animation_data.drivers), 1)

    def test_what_cannot_be_corrected_is_said(self):
        with self.assertRaisesRegex(RuntimeError, "Pose the joints"):
            bpy.ops.sinew.corrective()
        self.bend(50)
        self.arm.modifiers["Armature"].use_deform_preserve_volume = True
        with self.assertRaisesRegex(RuntimeError, "Preserve Volume"):
            bpy.ops.sinew.corrective()
        self.arm.modifiers["Armature"].use_deform_preserve_volume = False
        self.arm.vertex_groups.clear()
        with self.assertRaisesRegex(RuntimeError, "bind first"):
            bpy.ops.sinew.corrective()
        self.assertIsNone(self.arm.data.shape_keys)


class Levels(unittest.TestCase):
    def setUp(self):
        self.settings = empty_scene()

    def test_levels_are_subsets_with_everything(self):
        character, body, armature = person(vertices=3000)
        names = addon().read.deforming_bones(armature)
        rows = character.dense_weights()[:, [character.joint(name) for name in names]]
        for _ in addon().write.write_rows(body, names, np.zeros_like(rows), rows):
            pass
        addon().write.attach(body, armature)
        body.vertex_groups.new(name="Mask").add(list(range(0, 3000, 2)), 0.25, "REPLACE")
        for name in ("Skin", "Trousers"):
            body.data.materials.append(bpy.data.materials.new(name))
        places = np.array([vertex.co for vertex in body.data.vertices])
        low = (places[np.array([p.vertices for p in body.data.polygons])][:, :, 2] < 0.9).all(axis=1)
        body.data.polygons.foreach_set("material_index", low.astype(np.int32))
        layer = body.data.uv_layers.new(name="Map")
        corners = np.array([loop.vertex_index for loop in body.data.loops])
        uvs = places[corners][:, [0, 2]].astype(np.float32)
        uvs[places[corners][:, 1] > 0] += 3  # the back lies elsewhere: seams
        layer.data.foreach_set("uv", uvs.ravel())
        self.settings.lod_levels, self.settings.lod_ratio = 3, 0.4
        select_only(body)
        bpy.ops.sinew.lods()
        allowed = {tuple(np.round(row, 5)) for row in np.concatenate([places[corners], uvs], axis=1)}
        index = {tuple(place): i for i, place in enumerate(np.round(places, 5).tolist())}
        before = len(places)
        for number in (1, 2):
            level = bpy.data.objects[f"Body_LOD{number}"]
            self.assertEqual((level.find_armature(), level.parent), (armature, armature))
            count = len(level.data.vertices)
            self.assertLess(count, 0.6 * before)
            before = count
            kept = [index[tuple(place)] for place in np.round([v.co for v in level.data.vertices], 5).tolist()]
            np.testing.assert_array_equal(weights_of(level, names + ["Mask"]), weights_of(body, names + ["Mask"])[kept])
            found = np.array([[*level.data.vertices[loop.vertex_index].co, *level.data.uv_layers["Map"].data[i].uv]
                              for i, loop in enumerate(level.data.loops)])
            self.assertTrue({tuple(row) for row in np.round(found, 5).astype(np.float64)} <=
                            {tuple(np.asarray(row, np.float64)) for row in allowed})
            self.assertEqual([material.name for material in level.data.materials], ["Skin", "Trousers"])
            for polygon in level.data.polygons:
                heights = [level.data.vertices[vertex].co.z for vertex in polygon.vertices]
                if polygon.material_index == 1:
                    self.assertLess(max(heights), 0.9)

    def test_what_has_no_faces_is_said(self):
        select_only(make_mesh("Points", np.eye(3), np.zeros((0, 3), int)))
        with self.assertRaisesRegex(RuntimeError, "has no faces"):
            bpy.ops.sinew.lods()
