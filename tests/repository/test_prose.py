"""The words of pages, data and messages are those of STYLE.md."""

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
    found = [str(each) for each in prose.find(["page.md", "data.yml"])]
    assert [each.partition(" ")[0] for each in found] == ["page.md:4:", "page.md:9:", "page.md:18:", "data.yml:2:"]
    assert "`anew`" in found[0] and "write: usually" in found[-1]
