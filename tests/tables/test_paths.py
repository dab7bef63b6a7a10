"""The learning paths cover the lessons in the navigation's order, and the teacher's plan adds up."""

import re

import pytest

from scripts import learning
from scripts.errors import BadInput
from scripts.learning import WORDS_PER_MINUTE, load_paths, minutes, source, steps
from scripts.paths import DOCS
from scripts.site.config import mkdocs_yml
from scripts.tables import paths, workshop

NAV = [page.source for page in mkdocs_yml().pages]


def lessons() -> list[str]:
    """The pages below Learn, in the navigation's order, without its front."""
    (learn,) = [item["Learn"] for item in mkdocs_yml().data["nav"] if "Learn" in item]
    groups = [each for group in learn if isinstance(group, dict) for each in group.values()]
    return [page for group in groups for item in group for page in item.values()]


def test_each_lesson_is_on_a_path_and_each_path_follows_the_navigation():
    on_paths = [[source(lesson) for lesson in path.lessons] for path in load_paths().values()]
    assert {page for path in on_paths for page in path} == {*lessons()}
    assert [path for path in on_paths if path != sorted(path, key=NAV.index)] == []


def test_a_lesson_without_a_page_is_told_with_its_line(tmp_path, monkeypatch):
    text = learning.FILE.read_text(encoding="utf-8").replace(" first-job:", " gone:", 1)
    monkeypatch.setattr(learning, "FILE", tmp_path / "paths.yml")
    learning.FILE.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=r"paths\.yml:8: mkdocs\.yml has no page `learn/gone\.md`\."):
        load_paths()


def test_a_step_names_its_neighbors():
    first, *_ = steps("learn/first-job.md")
    assert (first.number, first.previous, first.next) == (1, None, "learn/what-to-ask-for.md")
    assert steps("learn/glossary.md") == []


def test_the_front_shows_each_path_and_a_time_of_its_words():
    text = paths.paths()
    assert [name for name in load_paths() if f"## {name} {{ #" not in text] == []
    times = [f"about {minutes(list(path.lessons))} minutes" for path in load_paths().values()]
    assert re.findall(r"about \d+ minutes", text) == times
    assert minutes(["first-job"]) % 5 == 0 < minutes(["first-job"]) < minutes(["first-job", "pytorch"])


@pytest.mark.parametrize("words, told", [(1, 5), (5 * WORDS_PER_MINUTE, 5), (5 * WORDS_PER_MINUTE + 1, 10)])
def test_the_time_is_that_of_prose_alone_rounded_up(words, told, tmp_path, monkeypatch):
    monkeypatch.setattr(learning, "DOCS", tmp_path)
    (tmp_path / "learn").mkdir()
    code = f"\n\n1. x\n\n    ```bash\n{'    code ' * 5000}\n    ```\n\n| {'cell ' * 5000}|\n"
    text = f"---\ndescription: {'x ' * 5000}\n---\n{'word ' * (words - 2)}{code}"
    (tmp_path / "learn/a.md").write_text(text, encoding="utf-8")
    assert minutes(["a"]) == told


def test_the_schedules_of_the_workshop_have_no_gap_and_end_in_time():
    text = (DOCS / "workshop/teach.md").read_text(encoding="utf-8")
    for hours, name in ((2, "Two"), (4, "Four"), (8, "Eight")):
        part = re.search(rf"(?s)### {name} hours.*?(?=\n##)", text)[0]
        times = [tuple(map(int, each)) for each in re.findall(r"(?m)^\| (\d+) to (\d+) \|", part)]
        assert [begin for begin, _ in times[1:]] == [end for _, end in times[:-1]]
        assert (times[0][0], times[-1][1]) == (0, 60 * hours)


def test_each_notebook_has_its_seconds_and_wrong_answers():
    assert [f"workshop/{name}.ipynb" for name in workshop.load().notebooks] == [
        page for page in NAV if page.endswith(".ipynb")
    ]
    assert workshop.questions().count("??? question") == len(workshop.load().questions) >= 8
