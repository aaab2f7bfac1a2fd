import pytest

import sinew


@pytest.fixture(scope="session")
def made():
    """A procedural person; making one takes seconds, so it is never changed."""
    return sinew.make_character(vertices=2000)


@pytest.fixture
def person(made):
    """A copy, which costs nothing, to change."""
    return made.copy()


@pytest.fixture
def bare(made):
    """Its mesh alone."""
    return sinew.Character(made.vertices, made.faces, name="bare")
