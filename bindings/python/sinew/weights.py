"""Teaching the weight method auto: a studio's own style, or another kind of creature."""
from __future__ import annotations

import ctypes
from typing import Any, Iterable, Optional, Sequence

from . import _declarations as c
from ._library import Report, call_with_progress, lib, options_struct
from .character import Character
from .errors import wrong_argument


class WeightTraining(Report):
    """The report of :func:`train_weights`.

    Attributes:
        networks: bytes of a .sinewweights file, for ``hero.bind(networks=…)``.
    """

    networks: bytes = b""


def _numbers(handles: Sequence[Any]):
    return (ctypes.c_void_p * len(handles))(*(handle.number for handle in handles))


def train_weights(characters: Iterable[Character], *, groups: Optional[Sequence[str]] = None,
                  apart: Iterable[Character] = (), vertices: int = 400, epochs: int = 10, hidden: int = 64,
                  members: int = 4, seed: int = 1, threads: int = 0, progress: Any = None) -> WeightTraining:
    """Learns from rigged characters how their artists weight, for the method "auto"::

        trained = sinew.train_weights([sinew.load(path) for path in studio.glob("*.glb")])
        hero.bind(networks=trained.networks)
        Path("studio.sinewweights").write_bytes(trained.networks)

    Args:
        characters: with weights; at least two that can be learned from.
        groups: a name per character. Those of one group (a studio, a folder) are alike, and every group counts the
            same; None: all are one group.
        apart: characters to measure on later: nothing that shares geometry with them is learned from.
        vertices: of each character to learn from, 50 … 10,000.
        epochs: passes over all characters, 1 … 1,000.
        hidden: size of the networks, 8 … 512.
        members: networks, 1 … 16; each learns without one part of the characters.

    Returns:
        ``characters`` learned from; ``unseen_ratio`` and ``seen_ratio``, the error over that of bone heat on characters
        that were left out and on those learned from; and ``report.networks``. Warnings name what was left out.
    """
    given, kept_apart = [one._view for one in characters], [one._view for one in apart]
    names = None
    if groups is not None:
        if len(groups) != len(given):
            raise wrong_argument(f"{len(groups)} groups for {len(given)} characters")
        names = (ctypes.c_char_p * len(given))(*(name.encode() for name in groups))
    options = options_struct(c.sinew_train_weights_options, vertices=vertices, epochs=epochs, hidden=hidden,
                             members=members, apart=_numbers(kept_apart), apart_count=len(kept_apart), seed=seed,
                             threads=threads)
    result = call_with_progress(lib.sinew_train_weights, _numbers(given), names, len(given), options, progress=progress)
    report = WeightTraining(result.report, result.report.warnings)
    report.networks = result.file()
    return report
