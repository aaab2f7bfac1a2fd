"""Every function of the C interface, with what it cannot use: a status, never a crash. The functions are those that the
headers declare, so that none is forgotten."""
import ctypes

import pytest

import sinew
from sinew import _declarations as c
from sinew._library import lib

ARGUMENT_INVALID = 200
# They take nothing but a result, or say of themselves that NULL is nothing to do.
NEED_NOTHING = {"sinew_list_methods", "sinew_list_markers", "sinew_list_finding_kinds"}
CALLS = {name: arguments for name, (result, arguments) in c.FUNCTIONS.items()
         if result is ctypes.c_int and name not in ("sinew_version_number", "sinew_status_name")}
WITH_HANDLES = {name: arguments for name, arguments in CALLS.items()
                if not name.startswith(("sinew_correctives_", "sinew_skin")) and name not in NEED_NOTHING}


def zero_of(kind):
    """NULL, or 0."""
    return None if kind in (ctypes.c_void_p, ctypes.c_char_p) or hasattr(kind, "contents") else kind(0)


def structs_of(arguments):
    """Indices of what points at a struct with a size."""
    return [index for index, kind in enumerate(arguments)
            if hasattr(kind, "contents") and dict(getattr(kind._type_, "_fields_", ())).get("struct_size")]


@pytest.fixture(scope="module")
def destroyed(made):
    """Numbers of handles that are no more; no number is used twice, so they are those of any kind."""
    copy = made.copy()
    number = copy._handle.number
    del copy
    return number


@pytest.mark.parametrize("name", sorted(CALLS))
def test_nothing_at_all(name):
    status = getattr(lib, name)(*[zero_of(kind) for kind in CALLS[name]])
    assert status != 0 or name in NEED_NOTHING


@pytest.mark.parametrize("name", sorted(WITH_HANDLES))
def test_a_destroyed_handle(name, destroyed):
    kinds = WITH_HANDLES[name]
    if not any(kind is ctypes.c_void_p for kind in kinds[:-1]):
        pytest.skip("takes no handle but the result")
    given = [destroyed if kind is ctypes.c_void_p else zero_of(kind) for kind in kinds]
    given[-1] = None
    assert getattr(lib, name)(*given) == ARGUMENT_INVALID or name in ("sinew_read",)  # that takes bytes: none of them


@pytest.mark.parametrize("name", sorted(name for name in WITH_HANDLES if WITH_HANDLES[name][-1:] == [ctypes.c_void_p]))
def test_a_destroyed_result(name, destroyed):
    given = [zero_of(kind) for kind in WITH_HANDLES[name]]
    given[-1] = destroyed
    assert getattr(lib, name)(*given) == ARGUMENT_INVALID


@pytest.mark.parametrize("name", sorted(name for name in WITH_HANDLES if structs_of(WITH_HANDLES[name])))
@pytest.mark.parametrize("size", [0, 1, 7, 2**20, 2**64 - 1])
def test_a_struct_that_no_version_has(name, size, made):
    kinds = WITH_HANDLES[name]
    person = made.copy()
    for index in structs_of(kinds):
        struct = kinds[index]._type_(struct_size=size)
        given = [zero_of(kind) for kind in kinds]
        given[0] = person._handle.number if kinds[0] is ctypes.c_void_p else given[0]
        given[index] = ctypes.pointer(struct)
        assert getattr(lib, name)(*given) != 0
        assert struct.struct_size == size
    assert len(person.vertices) == len(made.vertices) and person.has_weights
