"""Two builds of one commit are the same, byte for byte, whatever the folder, hour, time zone, language or hash seed."""

import sys
from pathlib import Path

import pytest

from scripts.pdf import __main__ as exporter
from scripts.pdf import book, printer
from tests.run import run


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.nightly
def test_a_second_build_is_the_same(site, tmp_path):
    other = {"PYTHONHASHSEED": "7", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"}
    run(sys.executable, "-m", "scripts.build", "--site-dir", tmp_path / "again", env=other, status=0)
    first, again = files(site), files(tmp_path / "again")
    assert len(first) > 100 and "gpu-cluster-guide.zip" in first
    assert sorted(first) == sorted(again) and [name for name in first if first[name] != again[name]] == []


@pytest.mark.nightly
def test_a_second_export_is_the_same(printed):
    with printer.chromium() as browser:
        again = exporter.export(browser, [(None, "clusters/uva.html")], printed, book.edition())
    assert again == (printed / "clusters/uva.pdf").read_bytes()
