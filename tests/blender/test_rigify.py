"""Rigify: hundreds of bones of which the DEF- ones deform."""
import unittest

import bpy
import numpy as np

from scenes import addon, empty_scene, make_mesh, library, select_only, to_blender, weights_of


class Rigify(unittest.TestCase):
    def setUp(self):
        self.settings = empty_scene()
        if bpy.ops.preferences.addon_enable(module="rigify") != {"FINISHED"}:
            self.skipTest("Rigify does not come with this Blender")
        self.addCleanup(bpy.ops.preferences.addon_disable, module="rigify")

    def test_a_generated_rig_is_bound_to_its_deforming_bones(self):
        # The metarig stands in a body that was made around it: a person of the library, moved into its place.
        bpy.ops.object.armature_human_metarig_add()
        metarig = bpy.context.object
        person = library().make_character("adult", vertices=2000, garment="bare")
        body = make_mesh("Body", to_blender(person.vertices), person.faces)
        select_only(body)
        self.settings.fit_source, self.settings.fit_armature = "ARMATURE", metarig
        bpy.ops.sinew.fit()
        select_only(metarig)
        bpy.ops.pose.rigify_generate()
        rig = next(item for item in bpy.data.objects if item.type == "ARMATURE" and item is not metarig)
        select_only(body, rig)
        self.assertEqual(bpy.ops.sinew.bind(), {"FINISHED"})
        groups = {group.name for group in body.vertex_groups}
        self.assertTrue(all(name.startswith("DEF-") for name in groups), groups)
        rows = weights_of(body, sorted(groups))
        np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-5)
        # The left hand follows bones of the left arm.
        places = np.array([vertex.co for vertex in body.data.vertices])
        hand = places[:, 0] > 0.95 * places[:, 0].max()
        arm = [name for name in sorted(groups) if name.endswith((".L", ".L.001")) and
               any(word in name for word in ("hand", "palm", "f_", "thumb", "forearm"))]
        self.assertGreater(weights_of(body, arm)[hand].sum(axis=1).min(), 0.9)
