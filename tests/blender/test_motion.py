"""Fit and retarget."""
import math
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix, Quaternion

from scenes import addon, empty_scene, library, make_armature, make_mesh, person, select_only, to_blender


def heads_of(armature):
    matrix = np.array(armature.matrix_world)
    return {bone.name: matrix[:3, :3] @ np.array(bone.head_local) + matrix[:3, 3] for bone in armature.data.bones}


def posed_heads(armature, frame, names):
    bpy.context.scene.frame_set(frame)
    matrix = np.array(armature.matrix_world)
    return np.array([(matrix @ np.append(np.array(armature.pose.bones[name].head), 1))[:3] for name in names])


class Fit(unittest.TestCase):
    def setUp(self):
        self.settings = empty_scene()

    def test_a_built_in_skeleton(self):
        character, body, armature = person()
        select_only(body)
        self.assertEqual(bpy.ops.sinew.fit(), {"FINISHED"})
        made = bpy.context.object
        self.assertEqual((made.type, made.mode), ("ARMATURE", "OBJECT"))
        self.assertTrue(body.select_get() and made.select_get())
        heads, truth = heads_of(made), to_blender(character.joint_positions)
        height = np.ptp(truth[:, 2])
        for name in ("Hips", "LeftArm", "RightForeArm", "LeftUpLeg", "RightLeg", "Head"):
            self.assertLess(np.linalg.norm(heads[name] - truth[character.joint(name)]), 0.06 * height, name)
        for bone in made.data.bones:
            self.assertGreater(bone.length, 1e-4)
        # And it can be bound as it is.
        self.assertEqual(bpy.ops.sinew.bind(), {"FINISHED"})

    def test_an_armature_that_is_there(self):
        character, body, armature = person()
        truth = heads_of(armature)
        armature.matrix_world = Matrix.LocRotScale((1, 2, 0), Quaternion((1, 0, 0, 0)), (0.5, 0.5, 0.5))
        select_only(body)
        self.settings.fit_source = "ARMATURE"
        with self.assertRaisesRegex(RuntimeError, "Choose the armature"):
            bpy.ops.sinew.fit()
        self.settings.fit_armature = armature
        select_only(armature)
        bpy.ops.object.mode_set(mode="EDIT")
        armature.data.edit_bones["LeftForeArm"].use_connect = True
        bpy.ops.object.mode_set(mode="OBJECT")
        select_only(body)
        count = len(armature.data.bones)
        bpy.ops.sinew.fit()
        self.assertEqual(len(armature.data.bones), count)
        self.assertEqual([bone.name for bone in armature.data.bones if bone.use_connect], ["LeftForeArm"])
        heads, height = heads_of(armature), np.ptp(np.array(list(truth.values()))[:, 2])
        for name in ("Hips", "LeftArm", "RightForeArm", "LeftUpLeg", "RightLeg", "Head"):
            self.assertLess(np.linalg.norm(heads[name] - truth[name]), 0.06 * height, name)

    def test_a_skeleton_made_for_the_mesh(self):
        _, body, _ = person()
        select_only(body)
        self.settings.fit_source = "GENERATE"
        self.assertEqual(bpy.ops.sinew.fit(), {"FINISHED"})
        made = bpy.context.object
        self.assertGreater(len(made.data.bones), 10)
        places = np.array([vertex.co for vertex in body.data.vertices])
        for name, head in heads_of(made).items():
            self.assertTrue(np.all(head > places.min(axis=0) - 1e-3) and np.all(head < places.max(axis=0) + 1e-3), name)
        self.assertEqual(bpy.ops.sinew.bind(), {"FINISHED"})

    def test_an_unsure_fit_is_accepted_on_request_alone(self):
        _, body, armature = person()
        bpy.data.armatures.remove(armature.data)
        character_type, asked = library().Character, []
        fit = character_type.fit

        def judged(character, *arguments, **options):
            asked.append(options.pop("least_confidence", None))
            return fit(character, *arguments, least_confidence=1.0 if asked[-1] is None else asked[-1], **options)
        with unittest.mock.patch.object(character_type, "fit", judged):  # nothing is as sure as 1
            select_only(body)
            with self.assertRaisesRegex(RuntimeError, "does not look like a person"):
                bpy.ops.sinew.fit()
            self.assertEqual(len(bpy.data.armatures), 0)
            self.settings.fit_unsure = True
            self.assertEqual(bpy.ops.sinew.fit(), {"FINISHED"})
        self.assertEqual(asked, [None, 0])
        self.assertEqual(len(bpy.data.armatures), 1)

    def test_what_is_not_a_body_is_said(self):
        select_only(make_mesh("Triangle", np.eye(3), [[0, 1, 2]]))
        with self.assertRaises(RuntimeError):
            bpy.ops.sinew.fit()
        self.assertEqual(len(bpy.data.armatures), 0)
        select_only(make_armature("Armature", library().builtin_skeleton()))
        with self.assertRaisesRegex(RuntimeError, "Select the mesh"):
            bpy.ops.sinew.fit()


class Retarget(unittest.TestCase):
    def setUp(self):
        self.settings = empty_scene()
        self.character = library().make_character("adult", vertices=1000)
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)

    def save_clip(self):
        clip = Path(self.scratch.name) / "walk.bvh"
        self.character.save(clip)
        return clip

    def test_a_file_on_the_same_skeleton_is_the_clip_itself(self):
        armature = make_armature("Armature", self.character)
        for number, mode in enumerate(("QUATERNION", "XYZ", "AXIS_ANGLE", "ZXY")):
            for bone in list(armature.pose.bones)[number::4]:
                bone.rotation_mode = mode
        self.settings.clip_from, self.settings.clip_file = "FILE", str(self.save_clip())
        self.settings.keep_contacts = False
        select_only(armature)
        self.assertEqual(bpy.ops.sinew.retarget(), {"FINISHED"})
        action = armature.animation_data.action
        motion = self.character.motions[0]
        frames = round(motion.duration * 24)
        self.assertAlmostEqual(action.frame_range[1] - action.frame_range[0], frames, delta=1)
        names = ["Hips", "LeftForeArm", "RightHand", "LeftLeg", "RightFoot", "Head"]
        joints = [self.character.joint(name) for name in names]
        start = None
        for frame in (0, frames // 3, frames // 2):
            pose = self.character.sample(0, frame / 24)
            expected = to_blender(self.character.pose_joints(pose)[joints, :3, 3])
            found = posed_heads(armature, frame + 1, names)
            start = found[0] - expected[0] if start is None else start  # a path begins where the character stands
            np.testing.assert_allclose(found, expected + start * (1, 1, 0), atol=0.005)

    def test_transforms_and_odd_bones_do_not_matter(self):
        plain = make_armature("Plain", self.character)
        scaled = make_armature("Scaled", self.character, Matrix.LocRotScale((2, 1, 0), Quaternion((0, 0, 1), 0.7),
                                                                            (0.01, 0.01, 0.01)))
        # Placed so that both stand at the same place: what happens in world space must be the same.
        scaled.data.bones["LeftArm"].use_inherit_rotation = False
        scaled.data.bones["Hips"].use_local_location = False
        self.settings.clip_from, self.settings.clip_file = "FILE", str(self.save_clip())
        names = ["Hips", "LeftForeArm", "LeftHand", "RightHand", "LeftLeg", "RightFoot", "Head"]
        places = []
        for armature in (plain, scaled):
            select_only(armature)
            bpy.ops.sinew.retarget()
            places.append([posed_heads(armature, frame, names) for frame in (1, 8, 15)])
        np.testing.assert_allclose(places[0], places[1], atol=2e-3)

    def test_the_action_of_another_armature_with_constraints(self):
        source, target = make_armature("Source", self.character), make_armature("Target", self.character)
        select_only(source)
        arm = source.pose.bones["LeftArm"]
        arm.rotation_mode = "XYZ"
        for frame, angle in ((1, 0.0), (11, 1.2)):
            arm.rotation_euler = (angle, 0, 0)
            arm.keyframe_insert("rotation_euler", frame=frame)
        copied = source.pose.bones["RightForeArm"].constraints.new("COPY_ROTATION")
        copied.target, copied.subtarget = source, "LeftForeArm"
        bpy.context.scene.frame_set(5)
        self.settings.keep_contacts = False
        select_only(target)
        with self.assertRaisesRegex(RuntimeError, "Choose another armature"):
            bpy.ops.sinew.retarget()
        self.settings.clip_armature = source
        bpy.ops.sinew.retarget()
        self.assertEqual(bpy.context.scene.frame_current, 5)
        names = ["LeftForeArm", "LeftHand", "RightHand", "Head"]
        for frame in (1, 6, 11):
            moved = posed_heads(source, frame, names)
            np.testing.assert_allclose(posed_heads(target, frame, names), moved, atol=2e-3)
        self.assertGreater(math.dist(posed_heads(target, 1, names)[1], posed_heads(target, 11, names)[1]), 0.1)

    def test_a_piece_of_a_motion_faster_and_the_other_way_round(self):
        self.settings.clip_from, self.settings.clip_file = "FILE", str(self.save_clip())
        self.settings.keep_contacts = False
        self.settings.clip_begin, self.settings.clip_end, self.settings.clip_speed = 0.25, 0.75, 0.5
        names = ["LeftForeArm", "LeftHand", "LeftLeg", "RightForeArm", "RightHand", "RightLeg"]
        places = []
        for mirror in (False, True):
            self.settings.clip_mirror = mirror
            armature = make_armature("Armature", self.character)
            select_only(armature)
            bpy.ops.sinew.retarget()
            first, last = armature.animation_data.action.frame_range
            self.assertAlmostEqual(last - first, 24, delta=1)  # half a second at half the speed
            places.append(posed_heads(armature, 9, names) - posed_heads(armature, 9, ["Hips"]))
        np.testing.assert_allclose(places[1], np.roll(places[0], 3, axis=0) * (-1, 1, 1), atol=5e-3)
        self.assertGreater(np.abs(places[1] - places[0]).max(), 0.05)

    def test_the_rest_pose_of_a_motion(self):
        self.settings.clip_from, self.settings.clip_file = "FILE", str(self.save_clip())
        self.settings.keep_contacts, self.settings.clip_rest = False, "FRAME"
        self.settings.clip_rest_frame = 5
        armature = make_armature("Armature", self.character)
        select_only(armature)
        bpy.ops.sinew.retarget()
        frame = 1 + round(5 / self.character.motions[0].frames_per_second * 24)
        turned = [armature.pose.bones[name].matrix_basis.to_quaternion().angle for name in ("LeftUpLeg", "LeftArm")]
        bpy.context.scene.frame_set(frame)
        at_rest = [armature.pose.bones[name].matrix_basis.to_quaternion().angle for name in ("LeftUpLeg", "LeftArm")]
        self.assertLess(max(at_rest), 0.1, turned)
        self.settings.clip_rest_frame = 100_000
        with self.assertRaisesRegex(RuntimeError, "no frame 100000"):
            bpy.ops.sinew.retarget()

    def test_what_cannot_be_played_is_said(self):
        armature = make_armature("Armature", self.character)
        other = make_armature("Other", self.character)
        select_only(armature)
        self.settings.clip_armature = other
        with self.assertRaisesRegex(RuntimeError, "'Other' has no action"):
            bpy.ops.sinew.retarget()
        self.settings.clip_from = "FILE"
        with self.assertRaisesRegex(RuntimeError, "Choose a file"):
            bpy.ops.sinew.retarget()
        self.settings.clip_file = str(Path(self.scratch.name) / "none.bvh")
        with self.assertRaisesRegex(RuntimeError, "no file"):
            bpy.ops.sinew.retarget()
        (Path(self.scratch.name) / "none.bvh").write_text("HIERARCHY rubbish")
        with self.assertRaises(RuntimeError):
            bpy.ops.sinew.retarget()
        self.assertEqual(len(bpy.data.actions), 0)
