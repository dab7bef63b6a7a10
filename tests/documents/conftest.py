"""The twins are this run's, not the user's."""

from tests.check.conftest import only_this_runs_twins  # noqa: F401
