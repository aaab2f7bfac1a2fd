"""Spaces and weight rows: NumPy without Blender's data."""
import unittest

import numpy as np

from scenes import addon

random = np.random.default_rng(7)


def random_rotations(*shape):
    quaternions = random.normal(size=(*shape, 4))
    return quaternions / np.linalg.norm(quaternions, axis=-1, keepdims=True)


def random_rows(vertices, joints, most):
    rows = random.random((vertices, joints)).astype(np.float32) ** 4
    weakest = np.argsort(rows, axis=1)[:, :joints - most]
    np.put_along_axis(rows, weakest, 0, axis=1)
    return rows / rows.sum(axis=1, keepdims=True)


class Spaces(unittest.TestCase):
    def test_quaternions_and_matrices_are_inverse(self):
        spaces = addon().spaces
        quaternions = random_rotations(500)
        quaternions[:4] = np.eye(4)  # half turns and the identity: three of four components vanish
        matrices = spaces.matrices_of(random.normal(size=(500, 3)), quaternions, np.ones((500, 3)))
        again = spaces.quaternions_of(matrices)
        np.testing.assert_allclose(np.abs(np.sum(again * quaternions, axis=1)), 1, atol=1e-12)

    def test_locals_and_globals_are_inverse(self):
        spaces = addon().spaces
        parents = np.array([-1, 0, 1, 1, -1, 4])
        local = spaces.matrices_of(random.normal(size=(3, 6, 3)), random_rotations(3, 6), np.ones((3, 6, 3)))
        np.testing.assert_allclose(spaces.locals_of(spaces.globals_of(local, parents), parents), local, atol=1e-12)

    def test_rigid_keeps_rotations_and_drops_scale_and_mirror(self):
        spaces = addon().spaces
        turned = spaces.matrices_of(random.normal(size=(50, 3)), random_rotations(50), np.ones((50, 3)))
        scaled = turned.copy()
        scaled[:, :3, :3] *= random.uniform(0.01, 100, size=(50, 1, 1))
        np.testing.assert_allclose(spaces.rigid(scaled), turned, atol=1e-9)
        mirrored = turned.copy()
        mirrored[:, :3, 0] *= -1
        np.testing.assert_allclose(np.linalg.det(spaces.rigid(mirrored)[:, :3, :3]), 1, atol=1e-9)

    def test_continuous_has_no_jumps(self):
        spaces = addon().spaces
        angle = np.linspace(0, 4 * np.pi, 100)
        turns = np.stack([np.sin(angle / 2), 0 * angle, 0 * angle, np.cos(angle / 2)], axis=1)
        turns[random.random(100) < 0.5] *= -1
        smooth = spaces.continuous(turns)
        self.assertLess(np.abs(np.diff(smooth, axis=0)).max(), 0.1)
        np.testing.assert_array_equal(np.abs(smooth), np.abs(turns))


class Rows(unittest.TestCase):
    def combine(self, old, new, locked=(), chosen=None, vertices=None, most=4):
        joints = old.shape[1]
        mask = np.isin(np.arange(joints), locked)
        chosen = np.ones(joints, bool) if chosen is None else np.isin(np.arange(joints), chosen)
        vertices = np.ones(len(old), bool) if vertices is None else vertices
        return addon().rows.combined(old, new, locked=mask, chosen=chosen, vertices=vertices, most=most)

    def test_everything_new(self):
        old, new = random_rows(200, 9, 4), random_rows(200, 9, 4)
        np.testing.assert_allclose(self.combine(old, new), new, atol=1e-6)

    def test_locked_joints_stay_and_sums_are_one(self):
        old, new = random_rows(300, 9, 4), random_rows(300, 7, 4)
        new = np.concatenate([np.zeros((300, 2), np.float32), new], axis=1)
        result = self.combine(old, new, locked=[0, 1])
        np.testing.assert_array_equal(result[:, :2], old[:, :2])
        np.testing.assert_allclose(result.sum(axis=1), 1, atol=1e-5)
        self.assertLessEqual((result > 0).sum(axis=1).max(), 4)

    def test_chosen_joints_are_new_and_others_keep_their_shares(self):
        old, new = random_rows(300, 9, 9), random_rows(300, 9, 4)
        result = self.combine(old, new, chosen=[3, 4], most=9)
        np.testing.assert_allclose(result[:, 3:5], new[:, 3:5], atol=1e-6)
        np.testing.assert_allclose(result[:, 5] * old[:, 6], result[:, 6] * old[:, 5], atol=1e-6)
        np.testing.assert_allclose(result.sum(axis=1), 1, atol=1e-5)

    def test_vertices_without_weights_get_solved_ones(self):
        old, new = np.zeros((50, 9), np.float32), random_rows(50, 9, 4)
        np.testing.assert_allclose(self.combine(old, new, chosen=[2]), new, atol=1e-5)

    def test_vertices_that_may_not_change(self):
        old, new = random_rows(100, 9, 6), random_rows(100, 9, 4)
        may = random.random(100) < 0.5
        result = self.combine(old, new, vertices=may)
        np.testing.assert_array_equal(result[~may], old[~may])
        np.testing.assert_allclose(result[may], new[may], atol=1e-6)

    def test_a_vertex_of_locked_joints_alone_is_not_left_without_weight(self):
        old = np.array([[0, 1, 0]], np.float32)
        result = self.combine(old, np.array([[1, 0, 0]], np.float32), locked=[0])
        np.testing.assert_array_equal(result, old)

    def test_limit_keeps_the_strongest(self):
        rows = np.array([[0.4, 0.3, 0.2, 0.1]], np.float32)
        limited = addon().rows.limited(rows, 2, np.zeros(4, bool))
        np.testing.assert_allclose(limited, [[4 / 7, 3 / 7, 0, 0]], atol=1e-6)
        limited = addon().rows.limited(rows, 2, np.array([False, False, False, True]))
        np.testing.assert_allclose(limited, [[0.9, 0, 0, 0.1]], atol=1e-6)

    def test_fingerprints_tell_changes_and_ignore_other_joints(self):
        fingerprints = addon().rows.fingerprints
        rows, names = random_rows(4000, 9, 4), [f"Bone.{i}" for i in range(9)]
        before = fingerprints(rows, names)
        np.testing.assert_array_equal(fingerprints(rows[:, ::-1], names[::-1]), before)
        more = np.concatenate([rows, np.zeros((4000, 1), np.float32)], axis=1)
        np.testing.assert_array_equal(fingerprints(more, names + ["Tail"]), before)
        changed = rows.copy()
        changed[:, 0] += 0.001
        self.assertEqual((fingerprints(changed, names) == before).sum(), 0)
