"""Characters as arrays: nothing is copied, nothing dangles, and what cannot be is refused."""
import gc

import numpy as np
import pytest

import sinew

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float32)
FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
                  [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])


def box():
    character = sinew.Character(CORNERS, FACES, name="box")
    character.set_skeleton(["root", "tip"], [-1, 0], [(0.5, 0, 0.5), (0.5, 0.5, 0.5)])
    return character


def address(array):
    return array.__array_interface__["data"][0]


def test_arrays_come_back():
    character = sinew.Character(CORNERS, FACES, name="box", normals=CORNERS, uvs=CORNERS[:, :2], colors=np.ones((8, 4)),
                                tangents=np.ones((8, 4)))
    assert np.array_equal(character.vertices, CORNERS) and character.vertices.dtype == np.float32
    assert np.array_equal(character.faces, FACES) and character.faces.dtype == np.uint32
    assert np.array_equal(character.normals, CORNERS)
    assert character.uvs.shape == (8, 2) and character.colors.shape == (8, 4) and character.tangents.shape == (8, 4)
    assert character.name == "box" and character.format == "" and character.parts == []
    assert "8 vertices" in repr(character)
    assert sinew.Character(CORNERS).faces.shape == (0, 3)
    assert sinew.Character().vertices.shape == (0, 3)
    assert sinew.Character(CORNERS.tolist(), FACES.tolist()).vertices.shape == (8, 3)


def test_views_share_memory_and_are_read_only(person):
    vertices = person.vertices
    assert address(vertices) == address(person.vertices) == address(person.copy().vertices)
    with pytest.raises(ValueError):
        vertices[0] = 0


def test_views_outlive_changes_and_the_character(person):
    vertices, weights = person.vertices, person.weight_values
    before = weights.copy(), vertices.copy()
    person.bind("proximity")
    assert not np.array_equal(person.weight_values, before[0])
    assert np.array_equal(weights, before[0])
    del person
    gc.collect()
    assert np.array_equal(weights, before[0]) and np.array_equal(vertices, before[1])
    row = weights[5]
    del weights, vertices
    gc.collect()
    assert np.array_equal(row, before[0][5])


def test_without_views_nothing_is_cloned(person):
    own = sinew.read(person.write("glb"))
    place = address(own.vertices)
    gc.collect()
    own.name = "changed"
    assert address(own.vertices) == place


def test_parts_cover_the_mesh():
    parts = [sinew.Part("a", "red", slice(0, 4), slice(0, 2)), sinew.Part("b", "blue", slice(4, 8), slice(2, 4))]
    character = sinew.Character(CORNERS, FACES[:4], parts=parts)
    assert character.parts == parts
    with pytest.raises(sinew.BadInputError):
        sinew.Character(CORNERS, FACES, parts=parts[:1])
    with pytest.raises(sinew.UsageError):
        sinew.Character(CORNERS, FACES, parts=[parts[0]._replace(binding="glued")])


def test_skeleton_from_positions_and_matrices(person):
    character = box()
    assert character.joint_names == ["root", "tip"] and character.parents.tolist() == [-1, 0]
    assert np.allclose(character.joint_positions[1], (0.5, 0.5, 0.5))
    assert character.joint_kinds == ["joint", "joint"] and character.joint("tip") == 1
    with pytest.raises(KeyError):
        character.joint("no such")
    other = sinew.Character(person.vertices, person.faces)
    other.set_skeleton(person.joint_names, person.parents, person.rest, person.joint_kinds)
    assert np.array_equal(other.rest, person.rest) and other.joint_kinds == person.joint_kinds
    mirror = person.mirror_joints()
    assert mirror[person.joint("LeftArm")] == person.joint("RightArm")


def test_weights_as_sparse_dense_and_slots(person):
    sparse = pytest.importorskip("scipy.sparse")
    weights = person.weights
    assert sparse.issparse(weights) and weights.shape == (len(person.vertices), len(person.joint_names))
    assert np.allclose(weights.sum(axis=1), 1)
    assert np.array_equal(weights.toarray(), person.dense_weights())
    before = person.weight_values
    person.weights = None
    assert not person.has_weights and person.weight_values.shape[0] == 0
    person.weights = weights
    assert np.array_equal(person.weight_values, before)
    person.weights = weights.toarray()
    assert np.array_equal(person.weight_values, before)
    person.set_weights(person.weight_joints, 3 * before)
    assert np.allclose(person.weight_values, before)


def test_more_influences_than_slots_keep_the_strongest():
    character = sinew.Character(CORNERS, FACES)
    character.set_skeleton([f"j{i}" for i in range(40)], [-1] + [0] * 39, np.zeros((40, 3)))
    dense = np.tile(np.arange(1, 41, dtype=float), (8, 1))
    character.weights = dense
    assert character.weight_values.shape == (8, 32)
    assert set(character.weight_joints[0].tolist()) == set(range(8, 40))


def test_motions_and_poses():
    character = box()
    character.weights = np.eye(2)[[0, 0, 1, 1, 0, 0, 1, 1]]
    rest = character.rest_pose()
    half = np.sqrt(0.5)
    translations = np.stack([rest.translations, rest.translations])
    rotations = np.stack([rest.rotations, rest.rotations])
    rotations[1, 1] = [0, 0, half, half]
    character.add_motion(sinew.Motion("bend", 10, translations, rotations))
    motion = character.motions[0]
    assert (motion.name, motion.frame_count, motion.duration) == ("bend", 2, 0.1)
    assert np.array_equal(motion.rotations, rotations) and motion.pose(-1).rotations[1, 2] == half
    posed = character.posed_vertices(character.sample(0, 0.1))
    assert np.allclose(posed[0], CORNERS[0]) and not np.allclose(posed[2], CORNERS[2])
    assert np.allclose(character.posed_vertices(rest), CORNERS, atol=1e-6)
    assert character.posed_vertices(rest, method="dqs").shape == (8, 3)
    assert np.allclose(character.pose_joints(rest), character.rest)
    pose = rest.copy()
    pose.translations[0] += 1
    assert np.allclose(character.posed_vertices(pose), CORNERS + 1, atol=1e-6)
    character.remove_motion(0)
    assert character.motions == []
    with pytest.raises(sinew.UsageError):
        character.remove_motion(0)
    with pytest.raises(sinew.UsageError):
        character.sample(-1)


@pytest.mark.parametrize("change, error", [
    (lambda c: c.set_mesh(np.zeros((4, 2))), sinew.UsageError),
    (lambda c: c.set_mesh(np.zeros(12)), sinew.UsageError),
    (lambda c: c.set_mesh("mesh"), sinew.UsageError),
    (lambda c: c.set_mesh([[0, 0, np.nan]]), sinew.BadInputError),
    (lambda c: c.set_mesh(CORNERS, [[0, 1, 8]]), sinew.BadInputError),
    (lambda c: c.set_mesh(CORNERS, [[0, 1, -1]]), sinew.UsageError),
    (lambda c: c.set_mesh(CORNERS, [[0.0, 1.0, 2.0]]), sinew.UsageError),
    (lambda c: c.set_mesh(CORNERS, FACES, uvs=np.zeros((7, 2))), sinew.UsageError),
    (lambda c: c.set_skeleton(["a"], [0], [(0, 0, 0)]), sinew.BadInputError),
    (lambda c: c.set_skeleton(["a", "b"], [-1], np.zeros((2, 3))), sinew.UsageError),
    (lambda c: c.set_skeleton(["a"], [-1], np.zeros((1, 4, 4))), sinew.BadInputError),
    (lambda c: c.set_skeleton(["a"], [-1], np.zeros((1, 3)), ["bone"]), sinew.UsageError),
    (lambda c: c.set_weights(np.zeros((8, 2), int), np.full((8, 2), -1.0)), sinew.BadInputError),
    (lambda c: c.set_weights(np.full((8, 1), 9), np.ones((8, 1))), sinew.BadInputError),
    (lambda c: c.set_weights(np.full((8, 1), 70000), np.ones((8, 1))), sinew.UsageError),
    (lambda c: c.set_weights(np.zeros((7, 1), int), np.ones((7, 1))), sinew.BadInputError),
    (lambda c: setattr(c, "weights", np.ones((8, 3))), sinew.UsageError),
    (lambda c: setattr(c, "weights", np.full((8, 2), np.nan)), sinew.BadInputError),
    (lambda c: c.add_motion(sinew.Motion("m", 30, np.zeros((1, 1, 3)), np.zeros((1, 1, 4)))), sinew.BadInputError),
    (lambda c: sinew.Motion("m", 0, np.zeros((1, 2, 3)), np.ones((1, 2, 4))), sinew.UsageError),
    (lambda c: sinew.Pose(np.zeros((2, 3)), np.zeros((3, 4))), sinew.UsageError),
    (lambda c: c.posed_vertices(c.rest_pose()), sinew.BadInputError),
])
def test_what_cannot_be_is_refused_and_changes_nothing(change, error):
    character = box()
    with pytest.raises(error) as raised:
        change(character)
    assert isinstance(raised.value, (sinew.Error, ValueError)) and raised.value.code and str(raised.value)
    assert np.array_equal(character.vertices, CORNERS) and character.joint_names == ["root", "tip"]


def test_files_and_bytes(person, tmp_path):
    path = tmp_path / "person.glb"
    assert person.save(path) == []
    loaded = sinew.load(path)
    assert loaded.format == "glb" and np.array_equal(loaded.vertices, person.vertices)
    assert person.write("glb") == path.read_bytes()
    data = path.read_bytes()
    for like_bytes in (data, bytearray(data), memoryview(data), np.frombuffer(data, np.uint8)):
        assert np.array_equal(sinew.read(like_bytes, name="x", threads=1).faces, person.faces)
    with pytest.raises(sinew.BadInputError):
        sinew.read(b"")
    with pytest.raises(TypeError):
        sinew.read("a path")
    lost = person.save(tmp_path / "person.obj")
    assert lost and all(isinstance(warning, sinew.Warning) and warning.code for warning in lost)
    with pytest.raises(FileNotFoundError) as missing:
        sinew.load(tmp_path / "no_such.glb")
    assert missing.value.code == "file-not-found" and missing.value.status == 300
    with pytest.raises(sinew.UsageError):
        person.save(tmp_path / "person.abc")
    with pytest.raises(sinew.BadInputError):
        sinew.read(b"rubbish")


def test_names_and_vrm(person, tmp_path):
    person.save(tmp_path / "unreal.glb", names="unreal")
    assert {"pelvis", "lowerarm_l", "calf_r"} <= set(sinew.load(tmp_path / "unreal.glb").joint_names)
    with pytest.raises(sinew.UsageError, match="maya"):
        person.save(tmp_path / "x.glb", names="maya")
    warnings = person.save(tmp_path / "person.vrm", vrm_name="Person", vrm_authors=["Ada", "Bob"])
    assert not warnings
    text = (tmp_path / "person.vrm").read_bytes()
    assert b"VRMC_vrm" in text and b'"Bob"' in text
    assert b"VRMC_vrm" in person.write("vrm", vrm_authors=["Ada"])
    assert b"VRMC_vrm" not in person.write("glb", vrm_authors=["Ada"])
