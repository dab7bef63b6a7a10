"""The words of pages, data and messages are those of STYLE.md."""

import subprocess

import pytest

from scripts import git
from scripts.errors import BadInput
from scripts.prose import __main__ as prose


def test_no_word_is_used_that_the_style_guide_replaces(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["prose"])
    assert prose.main() == 0, capsys.readouterr().out


def test_a_word_is_found_with_its_line_and_code_is_not(tmp_path, monkeypatch):
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    code = "\n```bash\nanew\n```\n"
    page = f"# Jobs\n\nIt is `mostly` done.\nBuild it anew.\n{code}Do it anew.\n{code}{code}And anew.\n"
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    (tmp_path / "data.yml").write_text("texts: [built anew]\nmeans: Others mostly wait.\n", encoding="utf-8")
    (tmp_path / "figure.svg").write_text('<text id="anew">It mostly waits.</text>\n', encoding="utf-8")
    found = [str(each) for each in prose.find(["page.md", "figure.svg", "data.yml"])]
    lines = ["page.md:4:", "page.md:9:", "page.md:18:", "figure.svg:1:", "data.yml:2:"]
    assert [each.partition(" ")[0] for each in found] == lines
    assert "`anew`" in found[0] and "write: usually" in found[-1]


def test_what_git_lists_is_read_or_told(tmp_path, monkeypatch):
    for module in (prose, git):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    (tmp_path / "über uns.md").write_bytes(b"# A\ncaf\xe9\n")
    for words, said in (["version", "git lists no files"], ["init", r"^über uns\.md:2: this is not UTF-8 text\."]):
        subprocess.run(["git", words], cwd=tmp_path, check=True)
        with pytest.raises(BadInput, match=said):
            list(prose.find(prose.ours(["*.md"])))
    (tmp_path / "new.md").touch()
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    (tmp_path / "über uns.md").unlink()
    assert prose.ours(["*.md"]) == ["new.md"], "what is moved away is still in git's index"


@pytest.mark.parametrize(
    "words",
    [
        "Files count towards `--mem`.",
        "It used 30 % of the time.",
        "If the data are on the GPU, compute.",
        "Read on 21 November 2026.",
        "There are 28 × 24 cores.",
        "Starting one kernel takes 3 µs.",
        "Request more time, or let it save its state.",
        "Such a program does not run there.",
    ],
)
def test_what_an_editor_mended_stays_mended(tmp_path, monkeypatch, words):
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    (tmp_path / "page.md").write_text(f"# Jobs\n\n{words}\n", encoding="utf-8")
    assert len(list(prose.find(["page.md"]))) == 1
