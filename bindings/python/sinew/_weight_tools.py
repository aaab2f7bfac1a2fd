"""Tools for weights that a character has: methods of sinew.Character."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, List, Optional, Sequence, Union

import numpy as np

from . import _declarations as c
from ._arrays import pointer_to, taken
from ._library import Report, call_with_progress, lib, options_struct
from .errors import wrong_argument

if TYPE_CHECKING:
    from .character import Character

#: Names or indices; of ``locked`` also one text: "Left*,-LeftHand".
Joints = Union[str, Sequence[Union[int, str]]]


class WeightTools:
    """Mixed into :class:`sinew.Character`. All of these change the weights in place and give back what they did:
    ``changed_vertices``, ``largest_change``, ``mean_change``, ``mean_influences``, ``max_influences``, and more.
    """

    def mirror_weights(self: "Character", source: str = "left", *, vertices: Any = None, parts: Optional[str] = None,
                       locked: Joints = (), by_topology: bool = True, vertex_tolerance: float = 0.001,
                       reach: float = 0.03, threads: int = 0, progress: Any = None) -> Report:
        """Takes the weights of one side for both.

        Args:
            source: "left" or "right", as the character sees it.
            vertices: indices of those that may change; None: all. Copies along a seam follow.
            parts: only the vertices of these parts, by name: ``"Coat*,-CoatLining"``; not together with vertices.
            locked: joints whose weights stay as they are, by name or index, or as text: ``"*Twist,Head"``.
            by_topology: pair vertices by connectivity where both sides have the same, also where the shape differs.
            vertex_tolerance: a vertex this near to the mirrored place is the one, in bounding diagonals.
            reach: how far the other side's surface may be, in bounding diagonals.
        """
        if source not in ("left", "right"):
            raise wrong_argument(f"source is 'left' or 'right', not {source!r}")
        return self._use_tool(lib.sinew_mirror_weights, c.sinew_mirror_options, vertices, parts, locked, None, progress,
                              from_right=int(source == "right"), by_topology=by_topology,
                              vertex_tolerance=vertex_tolerance, reach=reach, threads=threads)

    def smooth_weights(self: "Character", *, strength: float = 0.5, iterations: int = 5, joints: Joints = (),
                       vertices: Any = None, parts: Optional[str] = None, locked: Joints = (), max_influences: int = 0,
                       threads: int = 0, progress: Any = None) -> Report:
        """Evens weights out over the surface.

        Args:
            strength: 0 … 1, how far a weight goes to the mean around it, each time.
            iterations: 0 … 1000 times.
            joints: whose weights are smoothed, the others give way; none: all.
            max_influences: joints per vertex; 0: the most that any vertex has now.
            vertices, parts, locked: what may change, as in :meth:`mirror_weights`.
        """
        return self._use_tool(lib.sinew_smooth_weights, c.sinew_smooth_options, vertices, parts, locked, joints, progress,
                              strength=strength, iterations=iterations, max_influences=max_influences, threads=threads)

    def prune_weights(self: "Character", threshold: float = 0.01, *, joints: Joints = (), vertices: Any = None,
                      parts: Optional[str] = None, locked: Joints = (), threads: int = 0,
                      progress: Any = None) -> Report:
        """Removes weights below the threshold; the strongest of a vertex stays.

        Args:
            joints: whose influences may go; none: all.
            vertices, parts, locked: what may change, as in :meth:`mirror_weights`.
        """
        return self._use_tool(lib.sinew_prune_weights, c.sinew_prune_options, vertices, parts, locked, joints, progress,
                              threshold=threshold, threads=threads)

    def limit_influences(self: "Character", max_influences: int = 4, *, poses: int = 48, seed: int = 1,
                         vertices: Any = None, parts: Optional[str] = None, locked: Joints = (), threads: int = 0,
                         progress: Any = None) -> Report:
        """Fewer influences per vertex with the least change of the moving skin, instead of the strongest ones alone.

        Args:
            max_influences: joints per vertex, 1 … 16.
            poses: in so many the change is measured: of the motions, and random ones within what joints can do.
            vertices, parts, locked: what may change, as in :meth:`mirror_weights`.

        Returns:
            also ``reduced`` vertices, ``mean_error`` and ``max_error`` in bounding diagonals, and the same of keeping the
            strongest (``truncated_mean_error``, ``truncated_max_error``).
        """
        return self._use_tool(lib.sinew_limit_influences, c.sinew_limit_options, vertices, parts, locked, None, progress,
                              max_influences=max_influences, poses=poses, seed=seed, threads=threads)

    def _indices(self: "Character", joints: Joints) -> np.ndarray:
        if isinstance(joints, str):
            joints = (joints,)
        listed: List[int] = [self.joint(joint) if isinstance(joint, str) else joint for joint in joints]
        return taken(listed, "joints", np.int32, (None,))

    def _selection(self: "Character", vertices: Any, parts: Optional[str], locked: Joints) -> Any:
        """The C struct. It keeps its arrays."""
        touched = taken([] if vertices is None else vertices, "vertices", np.uint32, (None,))
        if vertices is not None and len(touched) == 0:
            raise wrong_argument("vertices is empty; None means all of them")
        words = locked.encode() if isinstance(locked, str) and locked else None
        kept = self._indices(() if isinstance(locked, str) else locked)
        selection = c.sinew_weight_selection(ctypes.sizeof(c.sinew_weight_selection), len(touched),
                                             pointer_to(touched, ctypes.c_uint32), len(kept),
                                             pointer_to(kept, ctypes.c_int32), None if parts is None else parts.encode(),
                                             words)
        selection.kept = [touched, kept]
        return selection

    def _use_tool(self: "Character", function: Any, struct: type, vertices: Any, parts: Optional[str], locked: Joints,
                  joints: Optional[Joints], progress: Any, before: Sequence[Any] = (), **values: Any) -> Report:
        """`before`: arguments between the character and the options."""
        selection = self._selection(vertices, parts, locked)
        options = options_struct(struct, selection=ctypes.pointer(selection), **values)
        if joints is not None:
            chosen = self._indices(joints)
            options.joint_count, options.joints = len(chosen), pointer_to(chosen, ctypes.c_int32)
        with self._changing() as number:
            return call_with_progress(function, number, *before, options, progress=progress).report
