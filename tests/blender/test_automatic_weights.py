"""Bind beside Blender's own Automatic Weights, on ten characters with an artist's weights."""
import os
import sys
import unittest
from pathlib import Path

import bpy
import numpy as np

import scenes

PROJECT = Path(__file__).resolve().parents[2]
CHARACTERS = Path(os.environ.get("SINEW_DATA", PROJECT.parent / "shared" / "data")) / "characters"
sys.path.insert(0, str(PROJECT / "bench"))


@unittest.skipUnless(CHARACTERS.is_dir(), "the development characters are not beside the project")
class BesideAutomaticWeights(unittest.TestCase):
    def test_leaves_no_vertex_without_weight_and_is_closer_to_the_artist(self):
        import blender_automatic_weights as comparison
        errors, left_by_blender = [], 0
        for name in comparison.TEN:
            path = comparison.file_of(CHARACTERS, name)
            ours, unweighted, _ = comparison.measure(scenes, path, bpy.ops.sinew.bind)
            self.assertEqual(unweighted, 0, name)
            theirs, unweighted, _ = comparison.measure(scenes, path, comparison.blender_automatic)
            left_by_blender += unweighted > 0
            errors.append((ours["ade"], theirs["ade"]))
        self.assertGreater(left_by_blender, 0)  # a comparison that could not tell would count nothing
        means = np.exp(np.mean(np.log(errors), axis=0))
        self.assertLess(means[0], 0.9 * means[1])
