"""Blender's automatic weights ("With Automatic Weights") for a skinned PLY of `sinew convert`. Runs inside Blender:

  blender --background --factory-startup --python bench/peers/blender_heat.py -- IN.ply OUT.ply

The weights of IN.ply only say which joints the artist used: those become bones, from each joint to the mean of its
children that are bones too, or straight on. Vertices at one place are welded first, and where Blender leaves vertices
without weight it may try again piece by piece: as a careful user would. OUT.ply is IN.ply with Blender's weights, the
four strongest of each vertex; the time of the operator goes to standard output.
"""
import struct
import sys
import time

import bpy
from mathutils import Vector

TYPES = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "float": "f", "double": "d"}


def read_ply(path):
    data = open(path, "rb").read()
    head, _, body = data.partition(b"end_header\n")
    joints, elements = [], []
    for line in head.decode("utf-8").split("\n"):
        words = line.split(" ")
        if line.startswith("comment sinew_joint"):
            numbers = [float(w) for w in words[5:17]]
            joints.append((" ".join(words[17:]), int(words[3]), Vector((numbers[3], numbers[7], numbers[11]))))
        elif words[0] == "element":
            elements.append((words[1], int(words[2]), []))
        elif words[0] == "property":
            elements[-1][2].append(words[1:])
    assert b"binary_little_endian" in head
    at, tables = 0, {}
    for name, count, properties in elements:
        if any(p[0] == "list" for p in properties):
            rows = []
            for _ in range(count):
                (n,) = struct.unpack_from("<" + TYPES[properties[0][1]], body, at)
                at += struct.calcsize(TYPES[properties[0][1]])
                form = "<" + str(n) + TYPES[properties[0][2]]
                rows.append(struct.unpack_from(form, body, at))
                at += struct.calcsize(form)
            tables[name] = rows
        else:
            form = "<" + "".join(TYPES[p[0]] for p in properties)
            size = struct.calcsize(form)
            names = [p[1] for p in properties]
            tables[name] = [dict(zip(names, struct.unpack_from(form, body, at + size * i))) for i in range(count)]
            at += size * count
    return head.decode("utf-8"), joints, tables["vertex"], tables["face"]


def used_joints(vertices):
    used = set()
    for vertex in vertices:
        for name, weight in vertex.items():
            if name.startswith("weight_") and weight > 1e-4:
                used.add(vertex["joint_" + name[7:]])
    return used


def nearest_used(joint, joints, used):
    while joint >= 0 and joint not in used:
        joint = joints[joint][1]
    return joint


def make_armature(joints, used):
    armature = bpy.data.armatures.new("rig")
    rig = bpy.data.objects.new("rig", armature)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    parents = {j: nearest_used(joints[j][1], joints, used) for j in used}
    tails = {}
    for joint in sorted(used):
        head = joints[joint][2]
        children = [joints[c][2] for c in used if parents[c] == joint and (joints[c][2] - head).length > 1e-6]
        if children:
            tails[joint] = sum(children, Vector()) / len(children)
        if not children or (tails[joint] - head).length < 1e-6:
            before = head - joints[parents[joint]][2] if parents[joint] >= 0 else Vector((0, 0.1, 0))
            tails[joint] = head + (0.7 * before if before.length > 1e-6 else Vector((0, 0.01, 0)))
    for joint in sorted(used):
        bone = armature.edit_bones.new(str(joint))
        bone.head, bone.tail = joints[joint][2], tails[joint]
    for joint in used:
        if parents[joint] >= 0:
            armature.edit_bones[str(joint)].parent = armature.edit_bones[str(parents[joint])]
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def weld(points):
    """Per point the index of its place: points within 1e-5 of the diagonal share one, as by "Merge by Distance"."""
    low = [min(p[c] for p in points) for c in range(3)]
    high = [max(p[c] for p in points) for c in range(3)]
    reach = 1e-5 * sum((b - a) ** 2 for a, b in zip(low, high)) ** 0.5
    grid, places, welded = {}, [], []
    for p in points:
        cell = tuple(int((p[c] - low[c]) / reach) for c in range(3))
        near = [q for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)
                for q in grid.get((cell[0] + x, cell[1] + y, cell[2] + z), ())
                if sum((a - b) ** 2 for a, b in zip(places[q], p)) <= reach * reach]
        if not near:
            grid.setdefault(cell, []).append(len(places))
            near = [len(places)]
            places.append(p)
        welded.append(near[0])
    return places, welded


def pieces_of(count, triangles):
    """Per place the piece of the surface that it belongs to."""
    above = list(range(count))

    def top(i):
        while above[i] != i:
            above[i] = above[above[i]]
            i = above[i]
        return i

    for a, b, c in triangles:
        above[top(a)] = top(b)
        above[top(b)] = top(c)
    return [top(i) for i in range(count)]


def automatic_weights(rig, places, triangles):
    """Strongest first, at most four, per place."""
    mesh = bpy.data.meshes.new("skin")
    mesh.from_pydata(places, [], triangles)
    skin = bpy.data.objects.new("skin", mesh)
    bpy.context.collection.objects.link(skin)
    bpy.ops.object.select_all(action="DESELECT")
    skin.select_set(True)
    rig.select_set(True)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.parent_set(type="ARMATURE_AUTO")
    names = [int(group.name) for group in skin.vertex_groups]
    result = []
    for vertex in skin.data.vertices:
        pairs = sorted(((g.weight, names[g.group]) for g in vertex.groups if g.weight > 0), reverse=True)[:4]
        total = sum(weight for weight, _ in pairs)
        result.append([(joint, weight / total) for weight, joint in pairs])
    bpy.data.objects.remove(skin)
    return result


def piece_by_piece(rig, places, triangles):
    result = [[] for _ in places]
    pieces = pieces_of(len(places), triangles)
    for piece in sorted(set(pieces)):
        own = [i for i, p in enumerate(pieces) if p == piece]
        index = {place: i for i, place in enumerate(own)}
        part = [tuple(index[i] for i in t) for t in triangles if pieces[t[0]] == piece]
        for place, weights in zip(own, automatic_weights(rig, [places[i] for i in own], part)):
            result[place] = weights
    return result


def main():
    source, target = sys.argv[sys.argv.index("--") + 1 :]
    head, joints, vertices, faces = read_ply(source)
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    rig = make_armature(joints, used_joints(vertices))
    places, welded = weld([(v["x"], v["y"], v["z"]) for v in vertices])
    triangles = [tuple(welded[i] for i in face) for face in faces]
    triangles = list(dict.fromkeys(t for t in triangles if len(set(t)) == 3))
    begin = time.perf_counter()
    strongest = automatic_weights(rig, places, triangles)
    seconds = time.perf_counter() - begin
    if not all(strongest):
        separate = piece_by_piece(rig, places, triangles)
        if sum(1 for w in separate if not w) < sum(1 for w in strongest if not w):
            strongest = separate
    empty = sum(1 for v in welded if not strongest[v])
    with open(target, "wb") as out:
        out.write(b"ply\nformat binary_little_endian 1.0\n")
        out.write("".join(l + "\n" for l in head.split("\n") if l.startswith("comment sinew_joint")).encode("utf-8"))
        out.write(b"element vertex %d\n" % len(vertices))
        out.write(b"property float x\nproperty float y\nproperty float z\n")
        for k in range(4):
            out.write(b"property ushort joint_%d\nproperty float weight_%d\n" % (k, k))
        out.write(b"element face %d\nproperty list uchar int vertex_indices\nend_header\n" % len(faces))
        for vertex, place in zip(vertices, welded):
            slots = (strongest[place] + [(0, 0.0)] * 4)[:4]
            out.write(struct.pack("<3f", vertex["x"], vertex["y"], vertex["z"]))
            for joint, weight in slots:
                out.write(struct.pack("<Hf", joint, weight))
        for face in faces:
            out.write(struct.pack("<B3i", 3, *face))
    print(f"RESULT seconds={seconds:.4f} unweighted={empty}")


main()
