"""Errors of Sinew as exceptions.

Every failure is a :class:`Error`. Its ``code`` is stable and for programs; its text is for people::

    try:
        hero = sinew.load("hero.glb")
    except sinew.Error as error:
        print(error.code, error)          # "file-not-found 'hero.glb' does not exist"
        print(error.advice)               # what to try, or ""

The subclass tells the kind, so that ``except ValueError`` and ``except FileNotFoundError`` do what you expect.
docs/errors.md lists all codes.
"""
from __future__ import annotations

from typing import Any, Dict, NamedTuple


class Error(Exception):
    """What went wrong in a call of Sinew.

    Attributes:
        code: stable name, for example ``"file-not-found"``.
        status: its number, for example 300; the hundreds are the kind.
        advice: what to try, one line; empty where there is nothing to say.
        option: the argument that would change it, for example ``"max_influences"``; empty where there is none.
        report: what the call had to say about it, mostly empty; of a fit with ``explain``, its ``"readings"``.
    """

    def __init__(self, message: str, code: str = "internal", status: int = 100, advice: str = "", option: str = ""):
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.advice = advice
        self.option = option
        self.report: Dict[str, Any] = {}

    def __str__(self) -> str:
        return f"{self.message}\n  {self.advice}" if self.advice else self.message


class FailedError(Error):
    """The work itself failed: the disk is full, a system did not converge, memory ran out."""


class UsageError(Error, ValueError):
    """An argument does not exist, has a wrong shape or does not fit the others."""


class BadInputError(Error, ValueError):
    """A file or an array is unreadable, invalid or impossible."""


class MissingFileError(BadInputError, FileNotFoundError):
    """There is no such file."""


class GateError(Error):
    """A quality gate was not met."""


class CancelledError(Error):
    """The progress function asked to stop."""


class Warning(NamedTuple):
    """What was repaired or ignored. ``code`` is stable (docs/warnings.md), ``message`` is for people."""

    code: str
    message: str

    def __str__(self) -> str:
        return self.message


_BY_KIND = {1: FailedError, 2: UsageError, 3: BadInputError, 4: GateError, 5: CancelledError}
_FILE_NOT_FOUND = 300


def error_of(status: int, code: str, message: str, advice: str, option: str) -> Error:
    """The exception for a status of the C interface."""
    kind = MissingFileError if status == _FILE_NOT_FOUND else _BY_KIND.get(status // 100, Error)
    return kind(message, code, status, advice, option)


def no_pickle(thing: Any, advice: str) -> TypeError:
    """What copies and processes are told that would take the number of a handle for the thing itself."""
    return TypeError(f"a {type(thing).__name__} lives in this process and cannot be pickled: {advice}")


def wrong_argument(message: str, advice: str = "") -> UsageError:
    """What is refused before the library is asked."""
    return UsageError(message, "argument-invalid", 200, advice)
