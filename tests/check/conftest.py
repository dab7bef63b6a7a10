"""The checker's twins are this run's, not the user's."""

import pytest

from tests.twin import kept


@pytest.fixture(autouse=True, scope="package")
def only_this_runs_twins():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("scripts.check.scheduler.twin_of", kept.twin)
        yield
