"""What copy, pickle and other libraries do with objects of the package."""
import copy
import gc
import json
import pickle
import struct

import numpy as np
import pytest

import sinew


def test_copies_are_independent_characters(person):
    for made in (copy.copy(person), copy.deepcopy(person), person.copy()):
        before = person.weight_values.copy()
        made.bind("proximity")
        assert np.array_equal(person.weight_values, before)
        made.name = "other"
        del made
        gc.collect()
        assert person.name != "other" and len(person.vertices)


def test_handles_do_not_leave_the_process(person):
    for thing in (person, person.check(), sinew.Painter(person)):
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(thing)
    with pytest.raises(TypeError):
        copy.copy(sinew.Painter(person))


def test_what_is_plain_data_can_be_pickled(person):
    pose, motion = person.rest_pose(), person.motions[0]
    report = person.check()
    for thing in (pose, motion, report.findings, report.poses, person.bind("proximity"), person.parts,
                  sinew.Error("what", "code", 100, "try this", "option")):
        again = pickle.loads(pickle.dumps(thing))
        assert type(again) is type(thing) and repr(again) == repr(thing)
    assert np.array_equal(pickle.loads(pickle.dumps(motion)).rotations, motion.rotations)
    assert copy.deepcopy(person.bind("proximity")).warnings == []


def test_a_copied_report_outlives_the_first(person):
    dense = person.dense_weights()
    dense[:50] = 0
    dense[:50, person.joint("LeftHand")] = 1
    person.weights = dense
    report = person.check()
    others = [copy.copy(report), copy.deepcopy(report)]
    del report
    gc.collect()
    for other in others:
        assert other.picture(0, width=40, height=20, samples=1)[1:4] == b"PNG"


class TrackedArray(np.ndarray):
    """As Trimesh has them: a subclass that is written to a cache when it changes, doubles and 64-bit indices."""

    def __array_finalize__(self, other):
        self.dirty = True


def test_arrays_of_trimesh_are_taken(made):
    vertices = made.vertices.astype(np.float64).view(TrackedArray)
    faces = made.faces.astype(np.int64).view(TrackedArray)
    vertices.flags.writeable = faces.flags.writeable = False
    taken = sinew.Character(vertices, faces, normals=np.asfortranarray(made.normals, np.float64))
    assert np.array_equal(taken.vertices, made.vertices) and np.array_equal(taken.faces, made.faces)
    assert np.array_equal(taken.normals, made.normals)
    every_second = np.zeros((len(vertices), 6))
    every_second[:, ::2] = made.vertices
    assert np.array_equal(sinew.Character(every_second[:, ::2], faces).vertices, made.vertices)


def test_the_pieces_of_pygltflib_are_taken(made):
    data = made.write("glb")
    length = struct.unpack_from("<I", data, 12)[0]
    pieces = [data[:12], data[12:20], data[20:20 + length], data[20 + length:]]  # as GLTF2.save_to_bytes gives them
    assert json.loads(pieces[2])["asset"]["version"] == "2.0"
    again = sinew.read(b"".join(pieces))
    assert np.array_equal(again.vertices, made.vertices) and again.joint_names == made.joint_names
