"""Terms of the glossary are linked where a page first uses them, in prose only; the glossary itself is in order."""

import re
from xml.etree import ElementTree

import markdown
import pytest

from scripts.errors import BadInput
from scripts.glossary import load_glossary
from scripts.site.terms import PAGE


def html(text: str) -> str:
    return markdown.markdown(text, extensions=["attr_list", "tables", "toc", "fenced_code", "scripts.site.extension"])


def linked(text: str) -> list[tuple[str, str]]:
    return re.findall(rf'<a class="term" href="{PAGE}#([\w-]+)">(.*?)</a>', html(text))


@pytest.mark.parametrize(
    "text, found",
    [
        ("A partition has nodes.\n\nAnother partition, one node.", {"partition": "partition", "node": "nodes"}),
        # Other names, several words and capitals.
        ("Log in to a login node; see quality of service.", {"login-node": "login node", "qos": "quality of service"}),
        ("Nodes first. The SM, not an sm, nor nodelist.", {"node": "Nodes", "sm": "SM"}),
        # A longer term that is linked already hides the shorter one.
        ("Tensor cores. More tensor cores, and a tensor.", {"tensor-core": "Tensor cores", "tensor": "tensor"}),
        ("### node { #node }\n\nOne node has cores.", {"core": "cores"}),  # an entry does not lead to itself
    ],
)
def test_the_first_use_in_prose_is_linked_and_no_other(text, found):
    assert linked(text) == [*found.items()]


@pytest.mark.parametrize(
    "text",
    ["# A partition", "`partition`", "[a partition](x.md)", "```\npartition\n```", "| partition |\n| --- |\n| node |"],
)
def test_headings_code_links_and_tables_are_left_alone(text):
    assert linked(text) == []
    assert linked(f"{text}\n\nA partition.") == [("partition", "partition")]


def test_the_text_stays_as_it_was():
    text = "A **partition** of nodes, *one queue* and `code` in a queue.\n\n- item with a core\n- MIG"
    plain = markdown.markdown(text)
    with_links = re.sub(r'<a class="term"[^>]*>(.*?)</a>', r"\1", html(text))
    assert with_links == plain
    ElementTree.fromstring(f"<div>{html(text)}</div>")


def test_the_glossary_has_many_terms():
    assert len({name for terms in load_glossary().values() for term in terms for name in term.names}) >= 100


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("One:\n  - {term: ab, means: x}\n  - {term: aa, means: x}\n", ":3: `aa` comes after `ab`"),
        ("One:\n  - {term: aa, means: x}\n  - {term: ab, also: [AA], means: x}\n", ":3: `AA` leads to `aa` and `ab`"),
        ("One:\n  - {term: aa, means: x}\nTwo:\n  - {term: aa, means: y}\n", ":4: `aa` leads to `aa` and `aa`"),
        ("One:\n  - {term: a b, means: x}\n  - {term: a-b, means: y}\n", ":3: `#a-b` leads to `a b` and `a-b`"),
        ("One:\n  - {term: 3D torus, means: x}\n", ":2: `One.0.term`: String should match pattern '^[A-Za-z]'"),
        ("One:\n  - {term: aa}\n", "`One.0.means` is missing"),
    ],
)
def test_a_wrong_glossary_is_refused_in_a_sentence(tmp_path, text, said):
    file = tmp_path / "glossary.yml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=re.escape(said)):
        load_glossary(file)
