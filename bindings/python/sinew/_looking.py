"""What can be seen and measured of a character: methods of sinew.Character."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Optional, Union

import numpy as np

from . import _declarations as c
from ._arrays import file_view, values_view
from ._library import Report, Result, call_with_progress, lib, options_struct
from ._options import Json, given, handle_of, json_text, number_of

if TYPE_CHECKING:
    from .character import Character


class Evaluation(Report):
    """The report of :meth:`Character.evaluate`.

    Attributes:
        vertex_errors: (n,) float32, mean distance per vertex of the truth; None without a truth.
    """

    vertex_errors: Optional[np.ndarray] = None


class Looking:
    """Mixed into :class:`sinew.Character`."""

    def evaluate(self, truth: Optional["Character"] = None, *, max_influences: int = 0, poses_per_motion: int = 24,
                 random_poses: int = 48, normal_degrees: float = 20.0, intersection_poses: int = 24, seed: int = 1,
                 joint_limits: Optional[Json] = None, threads: int = 0, progress: Any = None) -> Evaluation:
        """Measures the skin, alone or against another one (docs/metrics.md).

        Args:
            truth: the same mesh with an artist's weights.
            max_influences: reduce the weights to this many first; 0: as they are.
            poses_per_motion, random_poses, intersection_poses: in how many poses to measure.
            normal_degrees: standard deviation of the random poses without limits.
            joint_limits: ranges of the random poses; None: by joint role.

        Returns:
            all that was measured; ``report["metrics"]`` has the figures by name, ``report.vertex_errors`` an error per
            vertex of the truth.
        """
        options = options_struct(c.sinew_evaluate_options, **{**given(locals(), "truth"),
                                                              "joint_limits": json_text(joint_limits)})
        result = call_with_progress(lib.sinew_evaluate, self._view.number, number_of(handle_of(truth)), options,
                                    progress=progress)
        report = Evaluation(result.report, result.report.warnings)
        report.vertex_errors = None if truth is None else values_view(result)
        return report

    def render(self, mode: str = "shaded", *, joint: Optional[str] = None, view: str = "front", width: int = 800,
               height: int = 800, motion: int = -1, seconds: float = 0.0, dual_quaternions: bool = False,
               skeleton: bool = False, legend: bool = True, samples: int = 16, threads: int = 0,
               progress: Any = None) -> np.ndarray:
        """Draws the character: (height, width, 4) uint8, RGBA, ready for ``plt.imshow``.

        Args:
            mode: "shaded", "weights" (of joint), "dominant", "blended", "influences" or "parts".
            view: "front", "side", "back", "three-quarter", …, or "TURN:HEIGHT" in degrees.
            width, height: of the picture, in pixels.
            motion, seconds: the moment of a motion to show; -1: the bind pose.
            dual_quaternions: skin by them instead of linear blending.
            skeleton: draw it over the mesh.
            legend: say in the picture what its colours mean.
            samples: rays per pixel.
        """
        options = given(locals())
        return file_view(self._render("rgba", progress, options), (height, width, 4))

    def save_picture(self, path: Union[str, os.PathLike], mode: str = "shaded", *, joint: Optional[str] = None,
                     view: str = "front", width: int = 800, height: int = 800, motion: int = -1, seconds: float = 0.0,
                     dual_quaternions: bool = False, skeleton: bool = False, legend: bool = True, samples: int = 16,
                     threads: int = 0, progress: Any = None) -> None:
        """The same as a PNG file.

        Args:
            path: of the file.
            mode, joint, view, width, height, motion, seconds, dual_quaternions, skeleton, legend, samples: as in
                :meth:`render`.
        """
        options = given(locals(), "path")
        png = file_view(self._render("png", progress, options))
        with open(path, "wb") as file:
            file.write(png.data)

    def _render(self, format: str, progress: Any, options: Dict[str, Any]) -> Result:
        struct = options_struct(c.sinew_render_options, format=format, **options)
        return call_with_progress(lib.sinew_render, self._view.number, struct, progress=progress)
