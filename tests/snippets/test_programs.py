"""What is known of each program stands in programs.yml."""

import re

import pytest

from scripts import programs
from scripts.errors import BadInput


def test_what_is_known_of_a_program_stands_beside_it(monkeypatch, tmp_path):
    """No line for our tests in what readers copy; a run of no program, and an import of no package, are told."""
    for path in programs.PROGRAMS.glob("*.py"):
        assert not re.search(r"(?m)^# (test|needs):", path.read_text(encoding="utf-8")), f"{path}: see programs.yml"
        assert programs.packages(path) is not None
    assert programs.packages(programs.PROGRAMS / "multiply_copies.py") == ["numba", "numba-cuda", "numpy"]
    (tmp_path / "programs.yml").write_text("runs:\n  gone.py: {}\npackages: {numpy: numpy}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"programs\.yml:2: there is no program gone\.py"):
        programs.load(tmp_path / "programs.yml")
    (tmp_path / "odd.py").write_text("import os\nimport numpy, odder\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"odd\.py:2: no package is known for `import odder`"):
        programs.packages(tmp_path / "odd.py")
