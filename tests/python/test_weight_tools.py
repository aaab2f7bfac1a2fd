"""Tools for weights that a character has."""
import numpy as np
import pytest

import sinew


def test_limit_and_prune_keep_weights_valid(person):
    report = person.limit_influences(2)
    assert report["max_influences"] == 2 and report["reduced"] > 0
    assert report["mean_error"] <= report["truncated_mean_error"] * 1.01
    assert person.prune_weights(0.2)["mean_influences"] < report["mean_influences"]
    assert np.allclose(person.weight_values.sum(axis=1), 1, atol=1e-6)


def test_mirror_repairs_one_side(person, made):
    left = person.joint(next(name for name in person.joint_names if "Left" in name and "UpLeg" in name))
    strongest = person.weight_joints[:, 0]
    broken = person.copy()
    dense = broken.dense_weights()
    dense[strongest == left] = 0
    dense[strongest == left, 0] = 1  # the left thigh follows the root
    broken.weights = dense
    report = broken.mirror_weights("right")
    assert report["changed_vertices"] > 0 and report["joint_pairs"] > 10
    assert np.abs(broken.dense_weights() - made.dense_weights()).mean() < 0.2 * np.abs(dense - made.dense_weights()).mean()


def test_smoothing_keeps_to_its_selection(person, made):
    chosen = np.arange(200, dtype=np.uint32)
    head = person.joint("Head")
    person.smooth_weights(iterations=20, vertices=chosen, locked=["Head"])
    changed = np.flatnonzero(np.abs(person.dense_weights() - made.dense_weights()).max(axis=1) > 1e-6)
    places = {tuple(place) for place in made.vertices[chosen]}  # copies along a seam follow
    assert len(changed) > 0 and all(tuple(made.vertices[vertex]) in places for vertex in changed)
    assert np.allclose(person.dense_weights()[:, head], made.dense_weights()[:, head], atol=1e-6)


def test_wrong_arguments_are_refused(person, bare):
    before = person.weight_values
    for work, code in ((lambda: person.smooth_weights(strength=2), "option-out-of-range"),
                       (lambda: person.mirror_weights("up"), "argument-invalid"),
                       (lambda: person.prune_weights(vertices=[2**31]), "argument-invalid"),
                       (lambda: person.prune_weights(vertices=[]), "argument-invalid"),
                       (lambda: person.smooth_weights(joints=[9999]), "joint-unknown"),
                       (lambda: bare.prune_weights(), "weights-missing")):
        with pytest.raises(sinew.Error) as raised:
            work()
        assert raised.value.code == code
    assert np.array_equal(person.weight_values, before)
