"""Weights from other characters and from text, and twist joints: methods of sinew.Character."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _declarations as c
from ._arrays import pointer_to, taken, values_view
from ._library import Report, call, lib, options_struct
from ._weight_tools import Joints
from .errors import wrong_argument

if TYPE_CHECKING:
    from .character import Character

LIMBS = ("upper_arms", "forearms", "thighs", "shins")


class WeightLayer(NamedTuple):
    """Another result for the same vertices, for :meth:`Character.combine_weights`."""

    source: "Character"
    #: Only here, by name: ``"Coat*"``; None: everywhere.
    parts: Optional[str] = None
    #: How much of it, per vertex, 0 … 1; None: all.
    mask: Any = None


class WeightSources:
    """Mixed into :class:`sinew.Character`. Arguments and reports are as those of the weight tools."""

    def transfer_weights(self: "Character", source: "Character", *, max_distance: float = 0.05, max_angle: float = 30.0,
                         both_sides: bool = False, max_influences: int = 4, vertices: Any = None,
                         parts: Optional[str] = None, locked: Joints = (), threads: int = 0,
                         progress: Any = None) -> Report:
        """Takes weights from another mesh of the same body: a level of detail, the body under a garment. Both stand in
        the same place and rest pose. Without a skeleton the character gets the source's.

        Args:
            source: a character with weights.
            max_distance: farther surfaces are no match, in bounding diagonals of the source.
            max_angle: degrees between the normals; others are no match.
            both_sides: normals may also point the other way: linings.
            max_influences: joints per vertex, 1 … 16.
            vertices, parts, locked: what may change, as in :meth:`mirror_weights`.

        Returns:
            also ``matched``, ``inpainted`` (continued from those around), ``guessed`` (pieces without any match).
        """
        read = source._view
        return self._use_tool(lib.sinew_transfer_weights, c.sinew_transfer_options, vertices, parts, locked, None,
                              progress, (read.number,), max_distance=max_distance, max_angle=max_angle,
                              both_sides=both_sides, max_influences=max_influences, threads=threads)

    def copy_weights(self: "Character", source: "Character", *, tolerance: float = 1e-4, vertices: Any = None,
                     parts: Optional[str] = None, locked: Joints = (), threads: int = 0, progress: Any = None) -> Report:
        """Takes the exact weights of the same vertices, in the same or another order.

        Args:
            source: a character with weights.
            tolerance: vertices this near to each other are the same, in bounding diagonals.
            vertices, parts, locked: what may change, as in :meth:`mirror_weights`.

        Returns:
            also ``by_order``, ``matched`` and ``unmatched``.
        """
        read = source._view
        return self._use_tool(lib.sinew_copy_weights, c.sinew_copy_options, vertices, parts, locked, None, progress,
                              (read.number,), tolerance=tolerance, threads=threads)

    def combine_weights(self: "Character", layers: Sequence[Union[WeightLayer, Tuple]], *, max_influences: int = 0,
                        tolerance: float = 1e-4, vertices: Any = None, parts: Optional[str] = None,
                        locked: Joints = (), threads: int = 0, progress: Any = None) -> Report:
        """Mixes several results for the same vertices, one layer over the other, in order::

            hero.combine_weights([sinew.WeightLayer(biharmonic, parts="Coat*"), (painted, None, mask)])

        Args:
            layers: (source, parts, mask) each: by part, by how much per vertex, or both.
            max_influences: joints per vertex; 0: the most that any of them has.
            tolerance: as in :meth:`copy_weights`.
            vertices, parts, locked: what may change, as in :meth:`mirror_weights`.
        """
        count = len(self.vertices)
        structs, kept = [], []
        for layer in (WeightLayer(*given) for given in layers):
            mask = None if layer.mask is None else taken(layer.mask, "mask", np.float32, (count,))
            kept += [layer.source._view, mask]
            structs.append(c.sinew_weight_layer(kept[-2].number, None if layer.parts is None else layer.parts.encode(),
                                                0 if mask is None else count, pointer_to(mask, ctypes.c_float)))
        array = (c.sinew_weight_layer * len(structs))(*structs)
        return self._use_tool(lib.sinew_combine_weights, c.sinew_combine_options, vertices, parts, locked, None,
                              progress, (array, len(structs)), max_influences=max_influences, tolerance=tolerance,
                              threads=threads)

    def mask_from_colors(self: "Character", channel: str) -> np.ndarray:
        """(n,) float32: a mask from painted vertex colours. ``channel``: "red", "green", "blue", "alpha" or "grey"."""
        return values_view(call(lib.sinew_mask_from_colors, self._view.number, channel.encode()))

    def export_weights(self: "Character", form: str = "json") -> str:
        """Weights as text for other programs, in the ``form`` "json" or "csv". :meth:`import_weights` reads it back."""
        return call(lib.sinew_export_weights, self._view.number, form.encode()).file().decode()

    def import_weights(self: "Character", text: str, *, vertices: Any = None, parts: Optional[str] = None,
                       locked: Joints = ()) -> Report:
        """Sets the weights of the vertices that a text names; all others keep theirs.

        Args:
            text: JSON or CSV, as :meth:`export_weights` gives it.
            vertices, parts, locked: what may change, as in :meth:`mirror_weights`.
        """
        data = text.encode()
        selection = self._selection(vertices, parts, locked)
        with self._changing() as number:
            return call(lib.sinew_import_weights, number, data, len(data), ctypes.byref(selection)).report

    def add_twist_joints(self: "Character", per_limb: int = 1, *, limbs: Union[str, Sequence[str]] = LIMBS,
                         max_influences: int = 0) -> Report:
        """Adds joints along limbs that take a share of their turn, so that a turned wrist does not wring the skin. Weights
        and motions follow; new joints come after all others.

        Args:
            per_limb: twist joints in each part of a limb, 1 … 3.
            limbs: some of "upper_arms", "forearms", "thighs" and "shins".
            max_influences: joints per vertex; 0: as many as the character has, at least 4.

        Returns:
            ``added`` and ``kept``, each limb's ``joint`` and its ``twists``; ``changed_vertices``.
        """
        wanted = {limbs} if isinstance(limbs, str) else set(limbs)
        if not wanted <= set(LIMBS):
            raise wrong_argument(f"there are no limbs {', '.join(sorted(wanted - set(LIMBS)))}",
                                 "there are: " + ", ".join(LIMBS))
        options = options_struct(c.sinew_twist_options, per_limb=per_limb, max_influences=max_influences,
                                 **{limb: int(limb in wanted) for limb in LIMBS})
        with self._changing() as number:
            return call(lib.sinew_add_twist_joints, number, options).report
