"""Tools for weights that are there."""
import unittest

import bpy
import numpy as np

from scenes import addon, empty_scene, person, weights_of


class Tools(unittest.TestCase):
    def setUp(self):
        self.settings = empty_scene()
        self.character, self.body, self.armature = person()
        bpy.ops.sinew.bind()
        self.names = addon().read.deforming_bones(self.armature)
        self.before = weights_of(self.body, self.names)
        self.places = np.array([vertex.co for vertex in self.body.data.vertices])

    def rewrite(self, rows):
        for _ in addon().write.write_rows(self.body, self.names, self.before, rows):
            pass

    def test_mirror_takes_the_left_side_for_both(self):
        rows = self.before.copy()
        arm = self.names.index("LeftForeArm")
        patch = rows[:, arm] > 0.9
        rows[patch] = 0
        rows[patch, self.names.index("Head")] = 1
        self.rewrite(rows)
        bpy.ops.sinew.mirror()
        after = weights_of(self.body, self.names)
        np.testing.assert_allclose(after.sum(axis=1), 1, atol=1e-5)
        left = self.places[:, 0] > 0.05
        np.testing.assert_allclose(after[left], rows[left], atol=1e-6)
        mirrored = self.places[patch] * (-1, 1, 1)
        nearest = np.linalg.norm(self.places[:, None] - mirrored[None], axis=2).argmin(axis=0)
        self.assertGreater(after[nearest, self.names.index("Head")].mean(), 0.9)

    def test_smooth_evens_out_and_keeps_locked_and_unselected(self):
        rng = np.random.default_rng(3)
        rows = np.eye(len(self.names), dtype=np.float32)[rng.integers(0, len(self.names), len(self.before))]
        self.rewrite(rows)
        self.body.vertex_groups["Head"].lock_weight = True
        self.settings.tool_vertices = "SELECTED"
        chosen = self.places[:, 2] > 1
        for collection in (self.body.data.polygons, self.body.data.edges):
            collection.foreach_set("select", np.zeros(len(collection), bool))
        self.body.data.vertices.foreach_set("select", chosen)
        bpy.ops.sinew.smooth()
        after = weights_of(self.body, self.names)
        head = self.names.index("Head")
        np.testing.assert_array_equal(after[~chosen], rows[~chosen])
        np.testing.assert_array_equal(after[:, head], rows[:, head])
        edges = np.array([edge.vertices for edge in self.body.data.edges])
        edges = edges[chosen[edges].all(axis=1)]

        def roughness(weights):
            return np.abs(weights[edges[:, 0]] - weights[edges[:, 1]]).sum(axis=1).mean()
        self.assertLess(roughness(after), 0.8 * roughness(rows))
        self.assertLessEqual((after > 0).sum(axis=1).max(), 4 + 1)

    def test_without_weights(self):
        self.body.vertex_groups.clear()
        for tool in (bpy.ops.sinew.mirror, bpy.ops.sinew.smooth):
            with self.assertRaisesRegex(RuntimeError, "bind first"):
                tool()
