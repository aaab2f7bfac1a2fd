"""Sinew rigs characters: it fits a skeleton into a mesh, computes skin weights and plays any motion.

    import sinew

    hero = sinew.load("hero.obj")
    hero.rig(sinew.load("walk.bvh"))          # fit, bind and retarget in one go
    hero.save("hero_walks.glb")

Arrays are NumPy's, without copies::

    hero.vertices, hero.faces                 # (n, 3) and (m, 3)
    hero.weights                              # (n, joints), a scipy.sparse matrix
    hero.joint_names, hero.rest               # (joints, 4, 4)
    hero.posed_vertices(hero.sample(0, 1.5))  # the first motion after 1.5 seconds

What you can call
    load, read                   a character from a file or from bytes
    Character                    from arrays; recognise, fit, bind, retarget, rig, check, fix, lods, render, save
    make_character               a procedural body with skeleton, weights and motions
    builtin_skeleton, methods    skeletons that come with Sinew; weight methods and their options
    marker_names, finding_kinds  places of a body to point at; what a check can find
    Painter                      paint weights
    train_weights                the weight method auto in a studio's own style
    train_correctives            networks that repair what skinning loses; Correctives plays them
    Error                        what goes wrong, with a code and advice

``python -m sinew`` is the command line. The same input, options and seed give the same bits at any thread count.
"""
from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, List, Optional, Union

import numpy as np

from . import _declarations as _c
from ._arrays import Handle as _Handle
from ._library import Report, call as _call, call_with_progress as _call_with_progress, lib as _lib
from ._library import options_struct as _options_struct
from ._declarations import VERSION as __version__
from ._options import PartRule
from ._looking import Evaluation
from ._weight_sources import WeightLayer
from ._work import BindReport, FitReport
from .character import Character, Part
from .check import CheckPose, CheckReport, Finding, FixReport, Repair, finding_kinds
from .correctives import Correctives, train_correctives
from .errors import (BadInputError, CancelledError, Error, FailedError, GateError, MissingFileError, UsageError,
                     Warning)
from .motion import Motion, Pose
from .painter import Painter
from .weights import WeightTraining, train_weights

__all__ = ["BadInputError", "BindReport", "CancelledError", "Character", "CheckPose", "CheckReport", "Correctives",
           "Error", "Evaluation", "FailedError", "Finding", "FitReport", "FixReport", "GateError", "MissingFileError",
           "Motion", "Painter", "Part", "PartRule", "Pose", "Repair", "Report", "UsageError", "WeightLayer",
           "WeightTraining", "builtin_skeleton", "finding_kinds", "load", "make_character", "marker_names", "methods",
           "read", "train_correctives", "train_weights"]


def load(path: Union[str, os.PathLike], *, format: Optional[str] = None, isolate: bool = True,
         max_file_bytes: int = 4 << 30, max_node_depth: int = 1024, max_elements: int = 200_000_000,
         threads: int = 0) -> Character:
    """Reads a character, mesh, skeleton or motion: .glb .gltf .vrm .obj .ply .stl .off .bvh .pcd .fbx .dae.

    Args:
        path: of the file.
        format: "glb", "fbx", …; None: recognised by content, then by the extension.
        isolate: read FBX, COLLADA and Draco in a forked process, because their readers crash on some damaged files.
        max_file_bytes: larger files are refused.
        max_node_depth: deeper hierarchies are refused.
        max_elements: vertices, indices or keys that one file may declare.

    Returns:
        the character; ``character.warnings`` says what was repaired or ignored.
    """
    options = _options_struct(_c.sinew_load_options, format=format, isolate=isolate, max_file_bytes=max_file_bytes,
                              max_node_depth=max_node_depth, max_elements=max_elements, threads=threads)
    made = ctypes.c_void_p()
    report = _call(_lib.sinew_load, os.fsencode(path), options, ctypes.byref(made)).report
    return Character._of(_Handle(made.value), report.warnings)


def read(data: Union[bytes, bytearray, memoryview, np.ndarray], *, name: str = "", format: Optional[str] = None,
         isolate: bool = True, max_node_depth: int = 1024, max_elements: int = 200_000_000, threads: int = 0) -> Character:
    """Reads the bytes of a file, which may name no other file: ``sinew.read(b"".join(gltf.save_to_bytes()))``.

    Args:
        data: bytes, or what is like them without a copy: a bytearray, a memoryview, a NumPy array.
        name: what messages call it; a character without a name of its own is called after it.
        format, isolate, max_node_depth, max_elements: as in :func:`load`.
    """
    options = _options_struct(_c.sinew_load_options, name=name or None, format=format, isolate=isolate,
                              max_node_depth=max_node_depth, max_elements=max_elements, threads=threads)
    made = ctypes.c_void_p()
    held = np.frombuffer(data, np.uint8) if len(data) else np.zeros(0, np.uint8)
    report = _call(_lib.sinew_read, held.ctypes.data, len(held), options, ctypes.byref(made)).report
    return Character._of(_Handle(made.value), report.warnings)


def make_character(kind: str = "adult", *, vertices: int = 10_000, seed: int = 1, pose: str = "T",
                   garment: str = "automatic", progress: Any = None) -> Character:
    """A procedural character with skeleton, weights and motions.

    Args:
        kind: "adult", "child", "toon", "bulky" or "quadruped".
        vertices: of the whole character, 1,000 … 500,000.
        seed: of proportions, looks and clothes.
        pose: bind pose, "T" or "A".
        garment: "automatic", "bare", "none", "sport", "casual", "jacket" or "skirt".
    """
    options = _options_struct(_c.sinew_builtin_options, kind=kind, vertices=vertices, seed=seed, pose=pose,
                              garment=garment)
    made = ctypes.c_void_p()
    _call_with_progress(_lib.sinew_make_character, options, ..., ctypes.byref(made), progress=progress)
    return Character._of(_Handle(made.value))


def builtin_skeleton(name: str = "adult") -> Character:
    """A skeleton with motions and without a mesh. ``name``: "adult", "mitten" (the same with one finger) or "quadruped"."""
    made = ctypes.c_void_p()
    _call(_lib.sinew_builtin_skeleton, name.encode(), ctypes.byref(made))
    return Character._of(_Handle(made.value))


def methods() -> List[Dict[str, Any]]:
    """Every weight method: name, summary, options with type, default, range and help, and the inputs it takes."""
    return _call(_lib.sinew_list_methods).report["methods"]


def marker_names() -> List[str]:
    """Places of a body that ``hero.fit(markers=…)`` takes beside names of joints: "chin", "wrist.L", "wrist.R", …"""
    return _call(_lib.sinew_list_markers).report["markers"]
