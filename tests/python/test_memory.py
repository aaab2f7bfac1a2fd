"""How often data is copied, by the most memory that a process ever had over what the data takes."""
import os
import subprocess
import sys
import textwrap

# `peak(work)`: bytes that work() needed beside what there was, and its result.
MEASURE = """
    import re
    import numpy as np
    import sinew

    def kilobytes(name):
        return int(re.search(name + r":\\s+(\\d+) kB", open("/proc/self/status").read()).group(1))

    def peak(work):
        open("/proc/self/clear_refs", "w").write("5")  # the most so far is what there is now
        before = kilobytes("VmRSS")
        made = work()
        return 1024 * (kilobytes("VmHWM") - before), made

    side = 1200
    count = side * side
    vertices = np.zeros((count, 3), np.float32)
    vertices[:, :2] = np.stack(np.meshgrid(np.arange(side), np.arange(side), indexing="ij"), axis=-1).reshape(-1, 2)
    corner = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel().astype(np.uint32)
    faces = np.concatenate([np.stack([corner, corner + side, corner + 1], axis=1),
                            np.stack([corner + 1, corner + side, corner + side + 1], axis=1)])
    del corner
    small = sinew.Character(vertices[:3], [[0, 1, 2]])
    small.set_skeleton(["root", "tip"], [-1, 0], [(0, 0, 0), (1, 0, 0)])
"""


def copies(script):
    """What the script prints: bytes that were needed over bytes that the data has."""
    at_once = dict(os.environ, MALLOC_MMAP_THRESHOLD_="65536")  # what is freed goes back and is not used again
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(MEASURE) + textwrap.dedent(script)],
                          capture_output=True, text=True, env=at_once)
    assert done.returncode == 0, done.stderr
    return float(done.stdout)


def test_a_mesh_goes_in_by_one_copy_and_comes_out_by_none():
    assert 0.9 < copies("""
        needed, made = peak(lambda: sinew.Character(vertices, faces))
        print(needed / (vertices.nbytes + faces.nbytes))
    """) < 1.3
    assert copies("""
        made = sinew.Character(vertices, faces)
        needed, shown = peak(lambda: (made.vertices, made.faces, made.copy().vertices))
        print(needed / (vertices.nbytes + faces.nbytes))
    """) < 0.1


def test_weights_go_in_by_one_copy_and_come_out_by_none():
    assert 0.9 < copies("""
        made = sinew.Character(vertices, faces)
        made.set_skeleton(["root", "tip"], [-1, 0], [(0, 0, 0), (1, 0, 0)])
        joints, values = np.tile(np.array([0, 1, 0, 0], np.uint16), (count, 1)), np.full((count, 4), 0, np.float32)
        values[:, :2] = 0.5
        needed, _ = peak(lambda: made.set_weights(joints, values))
        print(needed / (joints.nbytes + values.nbytes))
    """) < 1.3
    assert copies("""
        made = sinew.Character(vertices, faces)
        made.set_skeleton(["root", "tip"], [-1, 0], [(0, 0, 0), (1, 0, 0)])
        made.set_weights(np.zeros((count, 4), np.uint16), np.tile(np.array([1, 0, 0, 0], np.float32), (count, 1)))
        needed, shown = peak(lambda: (made.weight_joints, made.weight_values))
        print(needed / sum(array.nbytes for array in shown))
    """) < 0.1


def test_motions_go_in_by_one_copy_and_come_out_by_none():
    motion = """
        frames = 300_000
        turned = np.tile(np.array([0, 0, 0, 1.0]), (frames, 2, 1))
        motion = sinew.Motion("long", 30, np.zeros((frames, 2, 3)), turned)
        size = frames * 2 * 96
        del turned
    """
    assert 0.9 < copies(motion + """
        needed, _ = peak(lambda: small.add_motion(motion))
        print(needed / size)
    """) < 1.3
    assert copies(motion + """
        small.add_motion(motion)
        needed, shown = peak(lambda: (small.motions[0].rotations, small.motions[0].translations))
        print(needed / size)
    """) < 0.1


def test_a_picture_is_shown_where_it_was_drawn():
    assert copies("""
        small.render(width=8, height=8, samples=1, legend=False)
        picture = small.render(width=1200, height=1200, samples=1, legend=False)
        needed, half = peak(lambda: (picture[:, :, 3].max(), picture[::2]))
        print(needed / picture.nbytes)
    """) < 0.3


def test_a_file_in_memory_is_read_from_where_it_lies():
    """The library keeps a glTF's bytes and makes its arrays; Python makes no copy of its own."""
    assert copies("""
        made = sinew.Character(vertices, faces)
        data = made.write("glb")
        del made
        needed, read = peak(lambda: sinew.read(memoryview(data)))
        print(needed / (len(data) + read.vertices.nbytes + read.faces.nbytes))
    """) < 1.3


def test_a_file_is_written_by_no_copy_of_pythons_but_its_bytes():
    assert copies("""
        made = sinew.Character(vertices, faces)
        needed, data = peak(lambda: made.write("glb"))
        print(needed / len(data))
    """) < 2.4
