"""Bind and solving again, on objects as artists have them."""
import unittest

import bpy
import numpy as np
from mathutils import Euler, Matrix

from scenes import (addon, empty_scene, library, make_armature, make_mesh, person, select_only, to_blender, weights_of,
                    write_weights)


def bones_of(armature):
    return addon().read.deforming_bones(armature)


def assert_is_a_skin(test, rows, most=4):
    np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-5)
    test.assertLessEqual((rows > 0).sum(axis=1).max(), most)


class Bind(unittest.TestCase):
    def setUp(self):
        self.settings = empty_scene()

    def test_gives_every_vertex_the_weights_of_the_library(self):
        character, body, armature = person()
        self.assertEqual(bpy.ops.sinew.bind(), {"FINISHED"})
        names = bones_of(armature)
        rows = weights_of(body, names)
        assert_is_a_skin(self, rows)
        self.assertEqual(body.find_armature(), armature)
        self.assertEqual(body.parent, armature)
        character.bind()
        columns = [character.joint(name) for name in names]
        difference = np.abs(rows - character.dense_weights()[:, columns]).sum(axis=1)
        # Tails of last bones are those of the armature here and those of the library's own markers there.
        self.assertLess(np.median(difference), 0.02)
        self.assertLess(difference.mean(), 0.1)

    def test_object_transforms_and_units_do_not_matter(self):
        character, body, armature = person()
        bpy.ops.sinew.bind()
        names = bones_of(armature)
        expected = weights_of(body, names)
        empty_scene()
        turned = Matrix.LocRotScale((3, -2, 1), Euler((0.3, 0.4, 0.5)), (0.01, 0.01, 0.01))
        mirrored = Matrix.LocRotScale((-1, 0, 2), Euler((0, 0, 1.5)), (-2, 1, 0.5))
        body = make_mesh("Body", to_blender(character.vertices), character.faces, mirrored)
        armature = make_armature("Armature", character, turned)
        bpy.context.scene.unit_settings.scale_length = 0.01
        select_only(body, armature)
        before = np.array(body.matrix_world)
        bpy.ops.sinew.bind()
        # Rounding moves what the learned method sees, a little.
        difference = np.abs(weights_of(body, names) - expected)
        self.assertLess(difference.max(), 0.1)
        self.assertLess(difference.mean(), 1e-4)
        bpy.context.view_layer.update()
        np.testing.assert_allclose(np.array(body.matrix_world), before, atol=1e-5)

    def test_several_meshes_and_the_armature_alone_selected(self):
        character, body, armature = person()
        bpy.ops.sinew.bind()
        whole = weights_of(body, bones_of(armature))
        empty_scene()
        above = character.vertices[:, 1] > np.median(character.vertices[:, 1])
        upper_faces = above[character.faces].any(axis=1)
        pieces = []
        for name, faces in (("Upper", character.faces[upper_faces]), ("Lower", character.faces[~upper_faces])):
            used, local = np.unique(faces, return_inverse=True)
            pieces.append((used, make_mesh(name, to_blender(character.vertices[used]), local.reshape(-1, 3))))
        armature = make_armature("Armature", character)
        select_only(*[item for _, item in pieces], armature)
        bpy.ops.sinew.bind()
        for used, item in pieces:
            # The same surface in two objects: the library welds it.
            difference = np.abs(weights_of(item, bones_of(armature)) - whole[used])
            self.assertLess(difference.max(), 0.1)
            self.assertLess(difference.mean(), 1e-3)
        for _, item in pieces:
            item.vertex_groups.clear()
        select_only(armature)
        bpy.ops.sinew.bind()
        for _, item in pieces:
            assert_is_a_skin(self, weights_of(item, bones_of(armature)))

    def test_locked_groups_keep_their_weights(self):
        _, body, armature = person()
        bpy.ops.sinew.bind()
        names = bones_of(armature)
        rows = weights_of(body, names)
        painted = names.index("Head")
        group = body.vertex_groups["Head"]
        group.add(list(range(0, len(rows), 7)), 0.3, "REPLACE")
        group.lock_weight = True
        before = weights_of(body, names)
        self.settings.method = "heat"
        bpy.ops.sinew.bind()
        after = weights_of(body, names)
        np.testing.assert_array_equal(after[:, painted], before[:, painted])
        assert_is_a_skin(self, after)
        self.assertGreater(np.abs(after - before).max(), 0.01)

    def test_selected_vertices_alone_change(self):
        _, body, armature = person()
        bpy.ops.sinew.bind()
        names = bones_of(armature)
        before = weights_of(body, names)
        chosen = np.arange(len(before)) % 3 == 0
        select_only(armature, body)
        bpy.ops.object.mode_set(mode="EDIT")
        bpy.ops.mesh.select_all(action="DESELECT")
        bpy.ops.object.mode_set(mode="OBJECT")
        body.data.vertices.foreach_set("select", chosen)
        bpy.ops.object.mode_set(mode="EDIT")
        self.settings.bind_vertices, self.settings.method = "SELECTED", "proximity"
        bpy.ops.sinew.bind()
        self.assertEqual(body.mode, "EDIT")
        bpy.ops.object.mode_set(mode="OBJECT")
        after = weights_of(body, names)
        np.testing.assert_array_equal(after[~chosen], before[~chosen])
        self.assertGreater(np.abs(after[chosen] - before[chosen]).max(), 0.1)
        assert_is_a_skin(self, after)

    def test_selected_bones_alone_change(self):
        _, body, armature = person()
        bpy.ops.sinew.bind()
        names = bones_of(armature)
        before = weights_of(body, names)
        for bone in armature.data.bones:
            bone.select = bone.name in ("LeftArm", "LeftForeArm")
        self.settings.bind_bones, self.settings.method, self.settings.max_influences = "SELECTED", "proximity", 8
        bpy.ops.sinew.bind()
        after = weights_of(body, names)
        arm = [names.index("LeftArm"), names.index("LeftForeArm")]
        untouched = (before[:, arm].sum(axis=1) == 0) & (after[:, arm].sum(axis=1) == 0)
        self.assertGreater(untouched.sum(), len(before) / 2)
        np.testing.assert_allclose(after[untouched], before[untouched], atol=1e-6)
        self.assertGreater(np.abs(after[:, arm] - before[:, arm]).max(), 0.05)
        assert_is_a_skin(self, after, most=8)

    def test_bones_that_do_not_deform_get_nothing_and_hidden_ones_do(self):
        _, body, armature = person()
        armature.data.bones["LeftForeArm"].use_deform = False
        armature.data.bones["RightForeArm"].hide = True
        bpy.ops.sinew.bind()
        self.assertNotIn("LeftForeArm", body.vertex_groups)
        self.assertIn("RightForeArm", body.vertex_groups)
        # Its children are bound as before, and its parent takes over.
        self.assertIn("LeftHand", body.vertex_groups)

    def test_names_that_mean_something_in_lists_of_the_library(self):
        _, body, armature = person()
        for name, odd in (("LeftArm", "-Left*"), ("Spine", "Spine,Lower"), ("Head", "Head_End")):
            armature.data.bones[name].name = odd
        self.settings.bind_bones = "ALL"
        bpy.ops.sinew.bind()
        for odd in ("-Left*", "Spine,Lower", "Head_End"):
            self.assertGreater(weights_of(body, [odd]).sum(), 1)

    def test_mirror_modifier(self):
        character, body, armature = person()
        bpy.ops.sinew.bind()
        names = bones_of(armature)
        whole, places = weights_of(body, names), np.array([v.co for v in body.data.vertices])
        empty_scene()
        left = (character.vertices[character.faces][:, :, 0] > -1e-4).all(axis=1)
        used, local = np.unique(character.faces[left], return_inverse=True)
        half = make_mesh("Half", places[used], local.reshape(-1, 3))
        modifier = half.modifiers.new("Mirror", "MIRROR")
        half.modifiers.new("Subdivision", "SUBSURF")
        armature = make_armature("Armature", character)
        select_only(half, armature)
        bpy.ops.sinew.bind()
        rows = weights_of(half, names)
        assert_is_a_skin(self, rows)
        self.assertTrue(modifier.show_viewport and half.modifiers["Subdivision"].show_viewport)
        difference = np.abs(rows - whole[used]).sum(axis=1)
        self.assertLess(np.median(difference), 0.05)
        right = [i for i, name in enumerate(names) if name.startswith("Right")]
        self.assertLess(rows[places[used, 0] > 0.06][:, right].sum(axis=1).max(), 0.1)

    def test_what_cannot_be_bound_is_said(self):
        character, body, armature = person()
        select_only(body)
        with self.assertRaisesRegex(RuntimeError, "Select an armature"):
            bpy.ops.sinew.bind()
        bare = make_armature("Other", character)
        select_only(bare)
        with self.assertRaisesRegex(RuntimeError, "Select the meshes that 'Other'"):
            bpy.ops.sinew.bind()
        select_only(body, armature)
        bpy.ops.sinew.bind()
        select_only(body, bare)
        with self.assertRaisesRegex(RuntimeError, "'Armature' moves 'Body' already"):
            bpy.ops.sinew.bind()
        select_only(body, armature)
        for group in body.vertex_groups:
            group.lock_weight = True
        for name in bones_of(armature):
            if name not in body.vertex_groups:
                body.vertex_groups.new(name=name).lock_weight = True
        with self.assertRaisesRegex(RuntimeError, "All vertex groups are locked"):
            bpy.ops.sinew.bind()
        for bone in armature.data.bones:
            bone.use_deform = False
        with self.assertRaisesRegex(RuntimeError, "no bone that deforms"):
            bpy.ops.sinew.bind()
        far = make_armature("Far", character)
        far.location.x = 100
        alone = make_mesh("Alone", to_blender(character.vertices), character.faces)
        select_only(alone, far)
        with self.assertRaisesRegex(RuntimeError, "skeleton|joint|mesh"):
            bpy.ops.sinew.bind()
        self.assertEqual(len(alone.vertex_groups), 0)

    def test_options_of_every_method_are_there(self):
        for method in library().methods():
            for option in method["options"]:
                name = f"{method['name']}__{option['name'].replace('-', '_')}"
                value = getattr(self.settings.options, name)
                if isinstance(value, float):
                    self.assertAlmostEqual(value, option["default"], places=5, msg=name)
                else:
                    self.assertEqual(value, option["default"], name)

    def test_an_option_reaches_the_method(self):
        _, body, armature = person()
        names = bones_of(armature)
        self.settings.method = "atlas"
        results = []
        for softness in (0.05, 0.95):
            self.settings.options.atlas__softness = softness
            bpy.ops.sinew.bind()
            results.append(weights_of(body, names))
        self.assertGreater((results[1] > 0).sum(), 1.2 * (results[0] > 0).sum())


class Resolve(unittest.TestCase):
    def setUp(self):
        self.settings = empty_scene()
        self.character, self.body, self.armature = person()
        bpy.ops.sinew.bind()
        self.names = bones_of(self.armature)
        self.before = weights_of(self.body, self.names)
        self.places = np.array([vertex.co for vertex in self.body.data.vertices])
        self.settings.options.biharmonic__resolution = 600  # quicker, and as good for what is tested

    def paint(self):
        """A patch of the chest follows the head, as if an artist had painted it."""
        spine = to_blender(self.character.joint_positions)[self.character.joint("Spine1")]
        front = spine + np.array([0, -0.15, 0])
        patch = np.linalg.norm(self.places - front, axis=1) < 0.08
        self.assertGreater(patch.sum(), 5)
        rows = self.before.copy()
        rows[patch] = 0
        rows[patch, self.names.index("Head")] = 1
        for _ in addon().write.write_rows(self.body, self.names, self.before, rows):
            pass
        return patch

    def test_painted_weights_stay_and_others_follow_nearby(self):
        with self.assertRaisesRegex(RuntimeError, "Nothing was painted"):
            bpy.ops.sinew.resolve()
        patch = self.paint()
        self.settings.reach = 0.1
        bpy.ops.sinew.resolve()
        after = weights_of(self.body, self.names)
        assert_is_a_skin(self, after)
        head = self.names.index("Head")
        np.testing.assert_array_equal(after[patch, head], 1)
        size = np.linalg.norm(self.places.max(axis=0) - self.places.min(axis=0))
        distance = np.linalg.norm(self.places[:, None] - self.places[patch][None], axis=2).min(axis=1)
        far = distance > 0.101 * size
        np.testing.assert_array_equal(after[far], self.before[far])
        around = (distance > 0) & (distance < 0.03 * size)
        self.assertGreater(after[around, head].mean(), self.before[around, head].mean() + 0.1)
        # A second solve still knows what was painted, and changes nothing more.
        bpy.ops.sinew.resolve()
        np.testing.assert_allclose(weights_of(self.body, self.names), after, atol=0.05)
        bpy.ops.sinew.select_painted()
        np.testing.assert_array_equal(addon().read.selected_vertices(self.body), patch)
        bpy.ops.sinew.forget_painted()
        with self.assertRaisesRegex(RuntimeError, "Nothing was painted"):
            bpy.ops.sinew.resolve()

    def test_everywhere_is_the_same_as_pins_of_the_library(self):
        patch = self.paint()
        self.settings.reach = 1.0
        bpy.ops.sinew.resolve()
        after = weights_of(self.body, self.names)
        assert_is_a_skin(self, after)
        self.assertGreater((np.abs(after - self.before).sum(axis=1) > 1e-3).mean(), 0.3)
        np.testing.assert_array_equal(after[patch, self.names.index("Head")], 1)

    def test_selected_group_and_locked(self):
        patch = self.paint()
        self.settings.reach = 0.1
        self.settings.painted, self.settings.painted_group = "GROUP", "Mask"
        with self.assertRaisesRegex(RuntimeError, "'Mask' is empty or does not exist"):
            bpy.ops.sinew.resolve()
        self.body.vertex_groups.new(name="Mask").add(np.nonzero(patch)[0].tolist(), 1.0, "REPLACE")
        bpy.ops.sinew.resolve()
        head = self.names.index("Head")
        np.testing.assert_array_equal(weights_of(self.body, self.names)[patch, head], 1)
        self.settings.painted = "LOCKED"
        with self.assertRaisesRegex(RuntimeError, "No locked vertex group has weights"):
            bpy.ops.sinew.resolve()
        self.body.vertex_groups["Head"].lock_weight = True
        before = weights_of(self.body, self.names)
        bpy.ops.sinew.resolve()
        after = weights_of(self.body, self.names)
        np.testing.assert_array_equal(after[:, head], before[:, head])
        assert_is_a_skin(self, after)

    def test_without_weights(self):
        self.body.vertex_groups.clear()
        with self.assertRaisesRegex(RuntimeError, "bind first"):
            bpy.ops.sinew.resolve()
