"""The Python package of Sinew: in the zip a folder beside this file; Debian's blender-sinew leaves it to python3-sinew.

``sinew`` is None where it cannot be loaded; ``problem`` then says why, and the panel shows it.
"""
from __future__ import annotations

from pathlib import Path

problem = ""
try:
    if (Path(__file__).resolve().parent / "sinew").is_dir():
        from . import sinew
    else:
        import sinew
except (ImportError, OSError) as error:
    sinew = None
    problem = str(error)


def methods() -> list:
    """Every weight method as the library describes it; see sinew.methods()."""
    return sinew.methods() if sinew else []


class Problem(Exception):
    """What the artist has to put right: shown as it is."""


def explained(error: BaseException) -> str:
    """One or two sentences for the artist: what went wrong, and what to try."""
    if isinstance(error, Problem):
        return str(error)
    if sinew and isinstance(error, sinew.Error):
        return f"{error.message}. {error.advice}" if error.advice else error.message
    return f"{type(error).__name__}: {error}"
