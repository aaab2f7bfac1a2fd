"""Characters: mesh, skeleton, weights and motions as NumPy arrays."""
from __future__ import annotations

import contextlib
import ctypes
import os
from typing import Any, Iterator, List, Optional, Sequence, Union

import numpy as np

from . import _declarations as c
from ._arrays import Handle, pointer_to, taken, view
from ._library import call, lib, options_struct
from ._looking import Looking
from ._options import save_options
from ._parts import BINDINGS, Part, index_of, part_struct
from ._posing import Posing
from ._slots import slots_of
from ._weight_sources import WeightSources
from ._weight_tools import WeightTools
from ._work import Work
from .check import Checks
from .errors import Warning, no_pickle

JOINT_KINDS = ("joint", "end", "helper")


class Character(Posing, Work, Looking, Checks, WeightTools, WeightSources):
    """A mesh with, possibly, skeleton, skin weights and motions.

    From a file, from the bytes of one, or from arrays::

        hero = sinew.load("hero.glb")
        hero = sinew.read(glb_bytes)
        hero = sinew.Character(vertices, faces, name="hero")     # (n, 3) and (m, 3), as Trimesh has them
        hero.set_skeleton(names, parents, rest)

    Arrays are read-only views of the library's memory: nothing is copied, and they stay valid and unchanged also when the
    character changes or goes. Read them again to see the change. Everything is in character space: metres-like, in the
    bind pose. Methods that change the character give back a report; when they fail, it is as it was.

    One thread at a time may change a character; give each thread a :meth:`copy`, which costs nothing until it is
    changed. Other threads of Python run while Sinew works.

    Args:
        vertices, faces, normals, uvs, colors, tangents, parts: as in :meth:`set_mesh`; without vertices there is no mesh.
        name: what files call it.

    Arguments of many methods:
        progress: a function of (fraction, stage), a bar like tqdm's, or True for a bar on the terminal. What it raises
            cancels the work and is raised again; so does Ctrl-C.
        threads: 0: all cores. Results have the same bits at any number.
        seed: of what is drawn at random; the same one gives the same bits.
    """

    def __init__(self, vertices: Any = None, faces: Any = None, *, name: str = "", normals: Any = None, uvs: Any = None,
                 colors: Any = None, tangents: Any = None, parts: Optional[Sequence[Part]] = None):
        made = ctypes.c_void_p()
        call(lib.sinew_character_create, name.encode(), ctypes.byref(made))
        self._take(Handle(made.value))
        if vertices is not None:
            self.set_mesh(vertices, faces, normals=normals, uvs=uvs, colors=colors, tangents=tangents, parts=parts)

    @classmethod
    def _of(cls, handle: Handle, warnings: Optional[List[Warning]] = None) -> "Character":
        character = cls.__new__(cls)
        character._take(handle, warnings)
        return character

    def _take(self, handle: Handle, warnings: Optional[List[Warning]] = None) -> None:
        self._handle = handle
        self._kept: Optional[Handle] = None
        #: What the reader of the file repaired or ignored.
        self.warnings: List[Warning] = warnings or []

    @property
    def _view(self) -> Handle:
        """A copy of the handle that is never changed: what arrays are views of."""
        if self._kept is None:
            self._kept = self._handle.copy()
        return self._kept

    @contextlib.contextmanager
    def _changing(self) -> Iterator[int]:
        """The handle, for a call that changes it. Arrays that are in use keep what they show."""
        self._kept = None  # shared with nobody, the library changes the character in its place
        try:
            yield self._handle.number
        finally:
            self._kept = None

    def copy(self) -> "Character":
        """A second character that shares all arrays with this one until one of the two is changed."""
        return Character._of(self._handle.copy(), list(self.warnings))

    __copy__ = copy

    def __deepcopy__(self, _memo: Any) -> "Character":
        return self.copy()

    def __reduce__(self) -> Any:
        raise no_pickle(self, "send hero.write('glb') to another process and sinew.read() it there")

    # --- files ---

    def save(self, path: Union[str, os.PathLike], *, max_influences: int = 0, quantise_weights: bool = False,
             embed: bool = False, keep_old_skeleton: bool = False, names: str = "keep",
             vrm_name: Optional[str] = None, vrm_authors: Sequence[str] = (),
             vrm_license_url: Optional[str] = None) -> List[Warning]:
        """Writes the file ``path``, whose extension says the format: .glb .gltf .vrm .fbx .obj .ply .stl .off .bvh.

        The file appears complete or not at all. Gives back what the format could not hold.

        Args:
            max_influences: joints per vertex; 0 keeps as many as the weights have.
            quantise_weights: glTF with 8-bit weights instead of float.
            embed: glTF with buffers and pictures inside the file.
            keep_old_skeleton: glTF of a character that got another skeleton keeps the old one's nodes.
            names: joints named and turned as other programs expect: "mixamo", "unreal", "unity", "vrm", "rigify".
            vrm_name: what a .vrm file calls the character; None takes its own name.
            vrm_authors: who made it; a .vrm file must say so.
            vrm_license_url: of a .vrm file; None means the VRM Public License 1.0.
        """
        options = save_options(max_influences=max_influences, quantise_weights=quantise_weights, embed=embed,
                               keep_old_skeleton=keep_old_skeleton, names=names, vrm_name=vrm_name,
                               vrm_authors=vrm_authors, vrm_license_url=vrm_license_url)
        return call(lib.sinew_save, self._handle.number, os.fsencode(path), options).report.warnings

    def write(self, format: str = "glb", *, max_influences: int = 0, quantise_weights: bool = False,
              keep_old_skeleton: bool = False, names: str = "keep", vrm_name: Optional[str] = None,
              vrm_authors: Sequence[str] = (), vrm_license_url: Optional[str] = None) -> bytes:
        """The bytes of a file, whole in one piece: ``pygltflib.GLTF2.load_from_bytes(hero.write("glb"))``.

        Args:
            format: "glb", "gltf", "vrm", "fbx", "obj", "ply", "stl", "off" or "bvh".
            max_influences, quantise_weights, keep_old_skeleton, names: as in :meth:`save`.
            vrm_name, vrm_authors, vrm_license_url: as in :meth:`save`.
        """
        options = save_options(max_influences=max_influences, quantise_weights=quantise_weights, embed=True,
                               keep_old_skeleton=keep_old_skeleton, names=names, vrm_name=vrm_name,
                               vrm_authors=vrm_authors, vrm_license_url=vrm_license_url)
        return call(lib.sinew_write, self._handle.number, format.encode(), options).file()

    # --- what it is ---

    def _info(self) -> Any:
        info = c.sinew_character_info(struct_size=ctypes.sizeof(c.sinew_character_info))
        call(lib.sinew_get_info, self._view.number, ctypes.byref(info))
        return info

    @property
    def name(self) -> str:
        """What files call it."""
        return self._info().name.decode()

    @name.setter
    def name(self, name: str) -> None:
        with self._changing() as number:
            call(lib.sinew_set_name, number, name.encode())

    @property
    def format(self) -> str:
        """Of the file it was read from: "glb", "obj"; empty for what was made."""
        return self._info().format.decode()

    def __repr__(self) -> str:
        info = self._info()
        words = [f"{info.vertex_count} vertices", f"{info.triangle_count} faces"]
        words += [f"{info.joint_count} joints"] if info.joint_count else []
        words += [f"{info.influences} influences"] if info.influences else []
        words += [f"{info.motion_count} motions"] if info.motion_count else []
        return f"<sinew.Character '{self.name}': {', '.join(words)}>"

    # --- mesh ---

    def _mesh(self) -> Any:
        mesh = c.sinew_mesh_arrays(struct_size=ctypes.sizeof(c.sinew_mesh_arrays))
        call(lib.sinew_get_mesh, self._view.number, ctypes.byref(mesh))
        return mesh

    def _per_vertex(self, member: str, size: int) -> Optional[np.ndarray]:
        mesh = self._mesh()
        pointer = getattr(mesh, member)
        return view(self._view, pointer, (mesh.vertex_count, size), "<f4") if pointer else None

    @property
    def vertices(self) -> np.ndarray:
        """(n, 3) float32."""
        mesh = self._mesh()
        return view(self._view, mesh.positions, (mesh.vertex_count, 3), "<f4")

    @property
    def faces(self) -> np.ndarray:
        """(m, 3) uint32, counter-clockwise seen from outside; empty for a point cloud."""
        mesh = self._mesh()
        return view(self._view, mesh.triangles, (mesh.triangle_count, 3), "<u4")

    @property
    def normals(self) -> Optional[np.ndarray]:
        """(n, 3) float32, or None."""
        return self._per_vertex("normals", 3)

    @property
    def uvs(self) -> Optional[np.ndarray]:
        """(n, 2) float32, v downwards as in glTF, or None."""
        return self._per_vertex("uvs", 2)

    @property
    def colors(self) -> Optional[np.ndarray]:
        """(n, 4) float32, linear RGBA, or None."""
        return self._per_vertex("colors", 4)

    @property
    def tangents(self) -> Optional[np.ndarray]:
        """(n, 4) float32, x y z and handedness, or None."""
        return self._per_vertex("tangents", 4)

    @property
    def parts(self) -> List[Part]:
        """Objects or materials that the mesh is made of, in order; empty means one."""
        mesh = self._mesh()
        return [Part(part.name.decode(), part.material.decode(),
                     slice(part.first_vertex, part.first_vertex + part.vertex_count),
                     slice(part.first_triangle, part.first_triangle + part.triangle_count), BINDINGS[part.binding])
                for part in mesh.parts[:mesh.part_count]]

    def set_mesh(self, vertices: Any, faces: Any = None, *, normals: Any = None, uvs: Any = None, colors: Any = None,
                 tangents: Any = None, parts: Optional[Sequence[Part]] = None) -> None:
        """Replaces the mesh. Weights go, and what was kept of the file that the character came from.

        Args:
            vertices: (n, 3), finite.
            faces: (m, 3) indices; None for a point cloud.
            normals: (n, 3), or None.
            uvs: (n, 2), v downwards as in glTF; ``1 - v`` of what Trimesh has. Or None.
            colors: (n, 4), linear RGBA 0 … 1, or None.
            tangents: (n, 4), x y z and handedness, or None.
            parts: runs of vertices and faces that cover the mesh in order.
        """
        positions = taken(vertices, "vertices", np.float32, (None, 3))
        triangles = taken(np.zeros((0, 3), np.uint32) if faces is None else faces, "faces", np.uint32, (None, 3))
        count = len(positions)
        given = {"positions": positions}
        for member, values, size in (("normals", normals, 3), ("uvs", uvs, 2), ("colors", colors, 4),
                                     ("tangents", tangents, 4)):
            given[member] = None if values is None else taken(values, member, np.float32, (count, size))
        mesh = c.sinew_mesh_arrays(struct_size=ctypes.sizeof(c.sinew_mesh_arrays), vertex_count=count,
                                   triangle_count=len(triangles), triangles=pointer_to(triangles, ctypes.c_uint32))
        for member, array in given.items():
            setattr(mesh, member, pointer_to(array, ctypes.c_float))
        listed = (c.sinew_part * len(parts or []))(*[part_struct(part) for part in parts or []])
        mesh.parts, mesh.part_count = listed, len(listed)
        with self._changing() as number:
            call(lib.sinew_set_mesh, number, ctypes.byref(mesh))

    # --- skeleton ---

    def _skeleton(self) -> Any:
        skeleton = c.sinew_skeleton_arrays(struct_size=ctypes.sizeof(c.sinew_skeleton_arrays))
        call(lib.sinew_get_skeleton, self._view.number, ctypes.byref(skeleton))
        return skeleton

    @property
    def joint_names(self) -> List[str]:
        """Of all joints, parents before their children."""
        skeleton = self._skeleton()
        return [name.decode() for name in skeleton.names[:skeleton.joint_count]]

    @property
    def parents(self) -> np.ndarray:
        """(joints,) int32; -1 for a root."""
        skeleton = self._skeleton()
        return view(self._view, skeleton.parents, (skeleton.joint_count,), "<i4")

    @property
    def rest(self) -> np.ndarray:
        """(joints, 4, 4) float64: joint space to character space in the bind pose. ``rest[j] @ [x, y, z, 1]``."""
        skeleton = self._skeleton()
        return view(self._view, skeleton.rest, (skeleton.joint_count, 4, 4), "<f8", (128, 8, 32))

    @property
    def joint_positions(self) -> np.ndarray:
        """(joints, 3) float64."""
        return self.rest[:, :3, 3]

    @property
    def joint_kinds(self) -> List[str]:
        """"joint" may deform the skin, "end" only marks where a bone ends, "helper" carries or groups joints."""
        skeleton = self._skeleton()
        return [JOINT_KINDS[kind] for kind in skeleton.kinds[:skeleton.joint_count]]

    def joint(self, name: str) -> int:
        """Index of the joint of this name. Raises KeyError."""
        names = self.joint_names
        if name not in names:
            raise KeyError(f"no joint '{name}'; there are: {', '.join(names)}")
        return names.index(name)

    def set_skeleton(self, names: Sequence[str], parents: Any, rest: Any, kinds: Optional[Sequence[str]] = None) -> None:
        """Replaces the skeleton. Weights and motions go.

        Args:
            names: one per joint.
            parents: index of each parent, -1 for a root; parents come before their children.
            rest: (joints, 4, 4) matrices in character space, or (joints, 3) positions.
            kinds: "joint", "end" or "helper" each; None: all may deform the skin.
        """
        count = len(names)
        matrices = np.asarray(rest, np.float64)
        if matrices.ndim == 2:
            positions = taken(rest, "rest", np.float64, (count, 3))
            matrices = np.tile(np.eye(4), (count, 1, 1))
            matrices[:, :3, 3] = positions
        columns = taken(np.swapaxes(taken(matrices, "rest", np.float64, (count, 4, 4)), 1, 2), "rest", np.float64,
                        (count, 4, 4))
        above = taken(parents, "parents", np.int32, (count,))
        numbers = taken([index_of(kind, JOINT_KINDS, "joint kind") for kind in kinds or ["joint"] * count], "kinds", np.uint8,
                        (count,))
        texts = (ctypes.c_char_p * count)(*[name.encode() for name in names])
        skeleton = c.sinew_skeleton_arrays(ctypes.sizeof(c.sinew_skeleton_arrays), count, texts,
                                           pointer_to(above, ctypes.c_int32), pointer_to(columns, ctypes.c_double),
                                           pointer_to(numbers, ctypes.c_uint8))
        with self._changing() as number:
            call(lib.sinew_set_skeleton, number, ctypes.byref(skeleton))

    def mirror_joints(self) -> np.ndarray:
        """(joints,) int32: each joint's counterpart on the other side, itself in the middle, -1 when there is none."""
        mirror = np.empty(self._skeleton().joint_count, np.int32)
        call(lib.sinew_mirror_joints, self._view.number, pointer_to(mirror, ctypes.c_int32), len(mirror), None)
        return mirror

    # --- weights ---

    def _weights(self) -> Any:
        weights = c.sinew_weight_arrays(struct_size=ctypes.sizeof(c.sinew_weight_arrays))
        call(lib.sinew_get_weights, self._view.number, ctypes.byref(weights))
        return weights

    @property
    def has_weights(self) -> bool:
        """Whether there are any."""
        return self._weights().vertex_count > 0

    @property
    def weight_joints(self) -> np.ndarray:
        """(n, influences) uint16: joints of each vertex, strongest first; 0 in slots that are not used."""
        weights = self._weights()
        return view(self._view, weights.joints, (weights.vertex_count, weights.influences), "<u2")

    @property
    def weight_values(self) -> np.ndarray:
        """(n, influences) float32: same layout as :attr:`weight_joints`; rows sum to 1."""
        weights = self._weights()
        return view(self._view, weights.weights, (weights.vertex_count, weights.influences), "<f4")

    @property
    def weights(self) -> Any:
        """(n, joints) as ``scipy.sparse.csr_matrix``. Needs SciPy; :meth:`dense_weights` does without.

        Assign a sparse or dense matrix to replace the weights: rows are normalised, and None removes them.
        """
        try:
            from scipy.sparse import csr_matrix
        except ImportError:
            raise ImportError("weights are a SciPy matrix, and SciPy is not installed; use dense_weights(), or "
                              "weight_joints and weight_values") from None
        values, joints = self.weight_values, self.weight_joints
        used = values > 0
        rows = np.concatenate(([0], np.cumsum(used.sum(axis=1))))
        return csr_matrix((values[used], joints[used].astype(np.int32), rows),
                          shape=(len(values), self._skeleton().joint_count))

    @weights.setter
    def weights(self, matrix: Any) -> None:
        if matrix is None:
            with self._changing() as number:
                call(lib.sinew_set_weights, number, None)
            return
        self.set_weights(*slots_of(matrix, self._mesh().vertex_count, self._skeleton().joint_count))

    def dense_weights(self) -> np.ndarray:
        """(n, joints) float32."""
        values, joints = self.weight_values, self.weight_joints
        dense = np.zeros((len(values), self._skeleton().joint_count), np.float32)
        np.add.at(dense, (np.arange(len(values))[:, None], joints), values)
        return dense

    def set_weights(self, joints: Any, values: Any) -> None:
        """Replaces the weights: (n, influences) ``joints`` and ``values``, in any order; rows are normalised."""
        numbers = taken(values, "values", np.float32, (None, None))
        indices = taken(joints, "joints", np.uint16, numbers.shape)
        arrays = c.sinew_weight_arrays(ctypes.sizeof(c.sinew_weight_arrays), numbers.shape[0], numbers.shape[1],
                                       pointer_to(indices, ctypes.c_uint16), pointer_to(numbers, ctypes.c_float))
        with self._changing() as number:
            call(lib.sinew_set_weights, number, ctypes.byref(arrays))
