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


def test_weights_from_another_mesh(person, made):
    level = person.lods(2)[1]
    level.weights = None
    report = level.transfer_weights(made, max_angle=60)
    assert report["matched"] > 0.5 * report["skinned_vertices"]
    assert np.allclose(level.dense_weights().sum(axis=1), 1)
    bare = sinew.Character(made.vertices, made.faces)
    copied = bare.copy_weights(made)  # takes the skeleton too
    assert copied["unmatched"] == 0 and bare.joint_names == made.joint_names
    assert np.array_equal(bare.dense_weights(), made.dense_weights())
    with pytest.raises(sinew.BadInputError):  # not in the same order, and elsewhere
        sinew.Character(made.vertices[::-1] + 1000, len(made.vertices) - 1 - made.faces.astype(int)).copy_weights(made)


def test_layers_are_mixed_by_masks_and_parts(person, made):
    smooth = made.copy()
    smooth.smooth_weights(iterations=30)
    mask = np.zeros(len(made.vertices), np.float32)
    mask[made.parts[0].vertices] = 1
    person.combine_weights([sinew.WeightLayer(smooth, mask=mask)], max_influences=8)
    by_mask = person.dense_weights()
    person = made.copy()
    person.combine_weights([(smooth, made.parts[0].name)], max_influences=8)
    assert np.allclose(by_mask, person.dense_weights(), atol=1e-5) or len({part.name for part in made.parts}) < len(made.parts)
    with pytest.raises(sinew.UsageError):
        person.combine_weights([(smooth, None, mask[:5])])


def test_weights_as_text_come_back(person, made):
    for form in ("json", "csv"):
        text = person.export_weights(form)
        other = made.copy()
        other.weights = None
        other.import_weights(text)
        assert np.allclose(other.dense_weights(), made.dense_weights(), atol=1e-6)  # sums are one again
    with pytest.raises(sinew.UsageError):
        person.export_weights("xml")
    with pytest.raises(sinew.BadInputError):
        person.import_weights("rubbish")


def test_masks_from_colours(made):
    colors = np.zeros((len(made.vertices), 4), np.float32)
    colors[::2, 0] = 0.5
    painted = sinew.Character(made.vertices, made.faces, colors=colors)
    assert np.allclose(painted.mask_from_colors("red"), colors[:, 0])
    with pytest.raises(sinew.Error):
        sinew.Character(made.vertices, made.faces).mask_from_colors("red")


def test_twist_joints(person, made):
    report = person.add_twist_joints(2, limbs=["forearms", "shins"])
    assert {limb["joint"] for limb in report["added"]} >= {"LeftForeArm", "RightForeArm"}
    assert len(person.joint_names) == len(made.joint_names) + sum(len(limb["twists"]) for limb in report["added"])
    assert person.joint_names[:len(made.joint_names)] == made.joint_names
    with pytest.raises(sinew.UsageError):
        person.add_twist_joints(limbs="wings")


def test_tools_take_parts_by_name(person, made):
    part = made.parts[-1]
    person.prune_weights(0.4, parts=part.name)
    changed = np.flatnonzero(np.abs(person.dense_weights() - made.dense_weights()).max(axis=1) > 0)
    inside = np.concatenate([np.arange(one.vertices.start, one.vertices.stop) for one in made.parts if one.name == part.name])
    places = {tuple(place) for place in made.vertices[inside]}  # copies along a seam follow
    assert all(tuple(made.vertices[vertex]) in places for vertex in changed)
    with pytest.raises(sinew.UsageError):
        person.prune_weights(parts="No such part")
    with pytest.raises(sinew.UsageError):
        person.prune_weights(parts=part.name, vertices=[1])
