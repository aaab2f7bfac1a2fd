"""Check, fix and transfer: findings as a list that a click shows, repairs, weights of another mesh."""
import math
import unittest

import bpy
import numpy as np

from scenes import addon, empty_scene, library, make_mesh, person, select_only, to_blender, weights_of, write_weights


class Check(unittest.TestCase):
    def setUp(self):
        self.settings = empty_scene()
        self.character, self.body, self.armature = person(4000)
        self.names = addon().read.deforming_bones(self.armature)
        dense = self.character.dense_weights()
        columns = [self.character.joint(name) for name in self.names]
        self.rows = dense[:, columns].astype(np.float32)
        self.good = self.rows.copy()
        spine = to_blender(self.character.joint_positions)[self.character.joint("Spine")]
        self.places = np.array([vertex.co for vertex in self.body.data.vertices])
        self.patch = np.linalg.norm(self.places - spine, axis=1) < 0.2
        self.assertGreater(self.patch.sum(), 5)
        self.rows[self.patch] = 0
        self.rows[self.patch, self.names.index("LeftHand")] = 1
        write_weights(self.body, self.names, self.rows)
        addon().write.attach(self.body, self.armature)
        select_only(self.body, self.armature)

    def finding_of_the_patch(self):
        for index, finding in enumerate(self.settings.findings):
            vertices = finding["vertices"].to_dict().get(self.body.name, [])
            if self.patch[list(vertices)].mean() > 0.5:
                return index, finding
        self.fail([finding.what for finding in self.settings.findings])

    def selected(self, item):
        return addon().read.selected_vertices(item)

    def test_findings_are_listed(self):
        self.assertEqual(bpy.ops.sinew.check(), {"FINISHED"})
        _, finding = self.finding_of_the_patch()
        self.assertIn(finding.kind, library().finding_kinds())
        self.assertEqual(finding.bone, "LeftHand")
        self.assertGreater(finding.severity, 0.02)
        self.assertTrue(finding.what and finding.remedy and finding.pose_name)
        severities = [finding.severity for finding in self.settings.findings]
        self.assertEqual(severities, sorted(severities, reverse=True))
        np.testing.assert_array_equal(weights_of(self.body, self.names), self.rows)
        bpy.ops.sinew.check()
        self.assertEqual(len(self.settings.findings), len(severities))

    def test_a_click_selects_vertices_and_bone_and_takes_the_pose(self):
        bpy.ops.sinew.check()
        index, finding = self.finding_of_the_patch()
        arm = self.armature.pose.bones["LeftArm"]
        arm.rotation_mode = "XYZ"
        arm.rotation_euler = (0.3, 0, 0)
        self.assertEqual(bpy.ops.sinew.show_finding(index=index), {"FINISHED"})
        self.assertEqual(self.settings.finding_index, index)
        chosen = np.nonzero(self.selected(self.body))[0]
        self.assertEqual(chosen.tolist(), list(finding["vertices"][self.body.name]))
        self.assertEqual(addon().read.selected_bones(self.armature), ["LeftHand"])
        self.assertEqual(self.armature.data.bones.active.name, "LeftHand")
        self.assertEqual(self.body.vertex_groups.active.name, "LeftHand")
        # Only the bone of the pose is turned, by its angle.
        for bone in self.armature.pose.bones:
            angle = bone.matrix_basis.to_quaternion().angle
            angle = min(angle, 2 * math.pi - angle)
            expected = math.radians(abs(finding.degrees)) if bone.name == finding.pose_bone else 0
            self.assertAlmostEqual(angle, expected, 4, bone.name)
        self.assertEqual(bpy.ops.sinew.leave_finding(), {"FINISHED"})
        self.assertAlmostEqual(arm.rotation_euler[0], 0.3, 5)
        self.assertFalse(bpy.ops.sinew.leave_finding.poll())

    def test_the_pose_is_that_of_the_library(self):
        self.armature.matrix_world = ((0, -1, 0, 2), (1, 0, 0, 0.5), (0, 0, 1, 0), (0, 0, 0, 1))
        self.body.matrix_world = self.armature.matrix_world
        bpy.context.view_layer.update()
        select_only(self.body, self.armature)
        bpy.ops.sinew.check()
        index, finding = self.finding_of_the_patch()
        bpy.ops.sinew.show_finding(index=index)
        evaluated = self.body.evaluated_get(bpy.context.evaluated_depsgraph_get())
        seen = np.array([self.body.matrix_world @ vertex.co for vertex in evaluated.data.vertices])
        skin = addon().bind.Skin(bpy.context)
        for _ in skin.gather(bpy.context, mirrored=False):
            pass
        character = skin.bound_character()
        report = character.check()
        same = next(found for found in report.findings if found.what == finding.what)
        expected = to_blender(character.posed_vertices(report.pose(same)))
        np.testing.assert_allclose(seen, expected, atol=2e-4)

    def test_without_the_pose(self):
        bpy.ops.sinew.check()
        self.settings.finding_pose = False
        bpy.ops.sinew.show_finding(index=self.finding_of_the_patch()[0])
        self.assertTrue(all(bone.matrix_basis.to_quaternion().angle < 1e-6 for bone in self.armature.pose.bones))

    def test_findings_of_several_meshes(self):
        shirt = make_mesh("Shirt", self.places + (0, 3, 0), self.character.faces)
        shirt.matrix_world.translation = (0, -3, 0)
        write_weights(shirt, self.names, self.good)
        addon().write.attach(shirt, self.armature)
        select_only(self.armature)
        bpy.ops.sinew.check()
        index, finding = self.finding_of_the_patch()
        bpy.ops.sinew.show_finding(index=index)
        self.assertTrue(self.selected(self.body).any())
        for item in (self.body, shirt):
            listed = list(finding["vertices"].to_dict().get(item.name, []))
            self.assertEqual(np.nonzero(self.selected(item))[0].tolist(), listed)
        bpy.ops.sinew.fix()
        self.assertLess(weights_of(self.body, self.names)[self.patch, self.names.index("LeftHand")].mean(), 0.1)

    def test_in_edit_mode(self):
        bpy.ops.sinew.check()
        index, finding = self.finding_of_the_patch()
        listed = list(finding["vertices"][self.body.name])
        select_only(self.body)
        bpy.ops.object.mode_set(mode="EDIT")
        bpy.ops.sinew.show_finding(index=index)
        self.assertEqual(self.body.mode, "EDIT")
        bpy.ops.object.mode_set(mode="OBJECT")
        self.assertEqual(np.nonzero(self.selected(self.body))[0].tolist(), listed)

    def test_fix_repairs_and_leaves_the_rest(self):
        bpy.ops.sinew.check()
        before = len(self.settings.findings)
        self.assertEqual(bpy.ops.sinew.fix(), {"FINISHED"})
        after = weights_of(self.body, self.names)
        self.assertLess(after[self.patch, self.names.index("LeftHand")].mean(), 0.1)
        np.testing.assert_allclose(after.sum(axis=1), 1, atol=1e-5)
        self.assertLess(len(self.settings.findings), before)
        far = np.linalg.norm(self.places - self.places[self.patch].mean(axis=0), axis=1) > 0.8
        changed = np.abs(after - self.rows).max(axis=1) > 1e-7
        self.assertLess(changed[far].mean(), 0.05)

    def test_fix_keeps_locked_groups(self):
        self.body.vertex_groups["LeftHand"].lock_weight = True
        bpy.ops.sinew.fix()
        after = weights_of(self.body, self.names)
        hand = self.names.index("LeftHand")
        np.testing.assert_array_equal(after[:, hand], self.rows[:, hand])
        np.testing.assert_allclose(after.sum(axis=1), 1, atol=1e-5)
        self.finding_of_the_patch()  # is still there, and still said

    def test_what_cannot_be_shown(self):
        bpy.ops.sinew.check()
        with self.assertRaisesRegex(RuntimeError, "check again"):
            bpy.ops.sinew.show_finding(index=1000)
        self.body.data.vertices.add(1)
        with self.assertRaisesRegex(RuntimeError, "check again"):
            bpy.ops.sinew.show_finding(index=0)
        self.body.vertex_groups.clear()
        for work in (bpy.ops.sinew.check, bpy.ops.sinew.fix):
            with self.assertRaisesRegex(RuntimeError, "bind first"):
                work()


class Transfer(unittest.TestCase):
    def setUp(self):
        self.settings = empty_scene()
        self.character, self.body, self.armature = person()
        self.names = addon().read.deforming_bones(self.armature)
        dense = self.character.dense_weights()
        self.rows = dense[:, [self.character.joint(name) for name in self.names]].astype(np.float32)
        write_weights(self.body, self.names, self.rows)
        addon().write.attach(self.body, self.armature)
        self.places = np.array([vertex.co for vertex in self.body.data.vertices])
        self.shirt = make_mesh("Shirt", self.places, self.character.faces,
                               ((0.5, 0, 0, 1), (0, 0, -0.5, 0), (0, 0.5, 0, 2), (0, 0, 0, 1)))
        self.settings.transfer_source = self.body
        select_only(self.shirt)

    def test_a_garment_takes_the_weights_of_the_body(self):
        self.assertEqual(bpy.ops.sinew.transfer(), {"FINISHED"})
        np.testing.assert_allclose(weights_of(self.shirt, self.names), self.rows, atol=2e-3)
        self.assertEqual(self.shirt.find_armature(), self.armature)

    def test_the_source_may_be_selected_too(self):
        select_only(self.body, self.shirt)
        bpy.ops.sinew.transfer()
        np.testing.assert_array_equal(weights_of(self.body, self.names), self.rows)
        self.assertTrue(weights_of(self.shirt, self.names).any())

    def test_locked_groups_and_unselected_vertices_stay(self):
        head = self.names.index("Head")
        old = np.zeros_like(self.rows)
        old[:, head] = 0.25
        old[:, self.names.index("Hips")] = 0.75
        write_weights(self.shirt, self.names, old)
        self.shirt.vertex_groups["Head"].lock_weight = True
        self.settings.tool_vertices = "SELECTED"
        chosen = self.places[:, 0] > 0
        addon().write.select_vertices(bpy.context, self.shirt, chosen)
        bpy.ops.sinew.transfer()
        after = weights_of(self.shirt, self.names)
        np.testing.assert_array_equal(after[~chosen], old[~chosen])
        np.testing.assert_array_equal(after[:, head], old[:, head])
        np.testing.assert_allclose(after.sum(axis=1), 1, atol=1e-5)
        self.assertGreater(np.abs(after - old)[chosen].max(), 0.5)

    def test_what_is_missing(self):
        self.settings.transfer_source = None
        with self.assertRaisesRegex(RuntimeError, "Choose the mesh"):
            bpy.ops.sinew.transfer()
        self.settings.transfer_source = self.shirt
        select_only(self.body)
        with self.assertRaisesRegex(RuntimeError, "No armature moves"):
            bpy.ops.sinew.transfer()
        self.settings.transfer_source = self.body
        with self.assertRaisesRegex(RuntimeError, "Select the meshes"):
            bpy.ops.sinew.transfer()
        self.shirt.location.x += 100
        select_only(self.shirt)
        with self.assertRaisesRegex(RuntimeError, "no place of 'Shirt' lies at the surface of 'Body'"):
            bpy.ops.sinew.transfer()
        self.assertEqual(len(self.shirt.vertex_groups), 0)
