"""An edit of a facts file changes its piece, and leaves every other letter as it is."""

import pytest

from scripts.facts.edit import Edits, flow
from scripts.facts.load import load_all
from scripts.facts.source import doubt, source
from scripts.facts.unknown import NOT_KNOWN

OLD = '{title: "A", url: "https://a.org", dated: 2026-01-01, read: 2026-01-02}'
NEW = {"title": "A", "url": "https://a.org", "dated": "2026-02-01", "read": "2026-02-02"}
B = ("a", "b")
DOUBTS = "unconfirmed:\n  a.b: x\n  a.c: y\nsources: {}\n"
SHARED = f"sources:\n  a: &page [{OLD}]  # why\n  b: *page\n  c: &page-2 [{OLD}]\n  d: *page-2\n"
CITED = f"sources:\n  a: [{OLD}]  # why\n"


@pytest.mark.parametrize(
    "before, edits, after",
    [
        ("a: {}  # c\n", [("put", B, "2")], "a: {b: 2}  # c\n"),
        ("a: {c: 1}\n", [("put", B, "2")], "a: {c: 1, b: 2}\n"),
        ("a: {b: 1, c: 1}\n", [("put", B, "2")], "a: {b: 2, c: 1}\n"),
        ("a: {b: 1, c: 1}\n", [("put", B, None)], "a: {c: 1}\n"),
        ("a: {c: 1, b: 1}\n", [("put", B, None)], "a: {c: 1}\n"),
        ("a: {b: 1}\n", [("put", B, None)], "a: {}\n"),
        ("a: {c: 1}\n", [("put", B, None)], "a: {c: 1}\n"),
        ("a:\n  c: 1  # c\nd: 1\n", [("put", B, "2")], "a:\n  c: 1  # c\n  b: 2\nd: 1\n"),
        ("a:\n  c: {d: 1}\n", [("put", B, "2")], "a:\n  b: 2\n  c: {d: 1}\n"),
        ("a:\n  b: 1  # c\n  c: 1\n", [("put", B, None)], "a:\n  c: 1\n"),
        ("a:\n  b:\n    d: 1\n  c: 1\n", [("put", B, None)], "a:\n  c: 1\n"),
        (DOUBTS, [("doubt", "a.b")], "unconfirmed:\n  a.c: y\nsources: {}\n"),
        (DOUBTS, [("doubt", "a.b"), ("doubt", "a.c"), ("doubt", "a.d")], "sources: {}\n"),
        (CITED, [("source", "a", NEW)], CITED.replace("[", f"[{flow(NEW)}, ")),
        (CITED, [("source", "a", NEW | {"dated": "2026-01-01"})], CITED),
        (f"sources:\n  a:\n    - {OLD}\n", [("source", "a", NEW)], f"sources:\n  a:\n    - {flow(NEW)}\n    - {OLD}\n"),
        (SHARED, [("source", "a", NEW)], SHARED.replace("&page [", f"[{flow(NEW)}, ").replace("*page\n", f"[{OLD}]\n")),
        (SHARED, [("source", "b", NEW)], SHARED.replace("*page\n", f"[{flow(NEW)}, {OLD}]\n")),
    ],
)
def test_an_edit_changes_its_piece_alone(before, edits, after):
    made = Edits(before)
    for name, *words in edits:
        getattr(made, name)(*words)
    assert made.result() == after


def test_a_doubt_is_about_its_fact_and_what_is_below_it():
    cluster = load_all()["kestrel"].model_copy(update={"unconfirmed": {"gpus.h100": "why"}, "operator": NOT_KNOWN})
    paths = {"gpus.h100": "why", "gpus.h100.memory": "why", "gpus": None, "gpus.h100_80": None}
    assert {path: doubt(cluster, path) for path in paths} == paths
    assert source(cluster, "gpus.h100").startswith("Kestrel, checked 20")
