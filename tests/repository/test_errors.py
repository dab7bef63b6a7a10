"""However a tool ends, it says so in a sentence, and leaves no file half-written."""

import errno
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import patch

import pytest

from scripts.errors import BadInput, refuse
from scripts.paths import write_whole
from tests.run import run

RUN = [sys.executable, "-c", "import sys; from scripts.errors import run; run(lambda: eval(sys.argv[1]), status=2)"]


@pytest.mark.parametrize(
    "main, end, status, said",
    [
        ("print('x')", "", 0, ""),
        ("print('x')", " >&-", 0, ""),
        ("len(sys.stdin.read())", " <&-", 0, ""),
        ("sys.stdin.errors != 'replace'", "", 0, ""),
        ("print('x')", " > /dev/full", 2, "guide: No space left on device. Fix the problem, and try again.\n"),
        ("print('x' * 10**6)", " > /dev/full", 2, "guide: No space left on device. Fix the problem, and try again.\n"),
        ("open('/')", "", 2, "/: Is a directory. Fix the problem, and try again.\n"),
        ("exec('raise OSError(chr(120))')", "", 2, "guide: x. Fix the problem, and try again.\n"),
        ("exec('raise KeyboardInterrupt')", "", 130, ""),
    ],
)
def test_every_end_is_one_sentence_at_most(main, end, status, said):
    done = run("sh", "-c", f'"$@"{end}', "sh", *RUN, main, status=status)
    assert done.stderr == said


def test_a_terminal_obeys_no_name():
    assert str(BadInput("a\x1b[31m\x9b.sh", 1, "is\rnot there.", "é")) == "a?[31m?.sh:1: is?not there. é"


def test_a_fault_that_is_found_twice_is_told_once():
    with pytest.raises(BadInput, match=r"^a: b c\na: d c$"):
        refuse([BadInput("a", None, "b", "c"), BadInput("a", None, "b", "c"), BadInput("a", None, "d", "c")])


def test_a_file_is_written_whole_by_several_at_once_and_others_stay(tmp_path):
    (tmp_path / "a.part").write_text("mine")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda letter: write_whole(tmp_path / "a.md", letter * 200_000), "abcdefgh" * 4))
    assert len(set((tmp_path / "a.md").read_text())) == 1 and (tmp_path / "a.part").read_text() == "mine"
    (tmp_path / "kept").hardlink_to(tmp_path / "a.md")
    write_whole(tmp_path / "a.md", "new")
    assert len((tmp_path / "kept").read_text()) == 200_000, "who reads the old file reads all of it"
    (tmp_path / "kept").unlink()
    (tmp_path / "folder.md").mkdir()
    with pytest.raises(BadInput, match=r"folder\.md: this file cannot be written: Is a directory\. Check"):
        write_whole(tmp_path / "folder.md", "x")
    full = OSError(errno.ENOSPC, "No space left on device")
    with (
        patch.object(Path, "write_bytes", side_effect=full),
        pytest.raises(BadInput, match=r"device\. Free some space"),
    ):
        write_whole(tmp_path / "a.md", "x")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.md", "a.part", "folder.md"]
