"""A hostile page comes to an end: what cannot be read is told, and a long script is no reason for that."""

import pytest

from scripts.sources.text import Tangled, is_html, lines_of

HOSTILE = [
    "<html>" + "<a " * 30_000,
    "<html>" + "<a b='" * 30_000,
    "<html>" + "&#" * 30_000,
    "<html><![CDATA[" * 10_000,
    "<!-- -->" * 3_000,
    "<!--" * 3_000,
    "<html>" + "</" * 30_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:12])
def test_a_hostile_page_ends(text):
    try:
        assert all(len(line) <= len(text) for line in lines_of(text))
    except Tangled:
        assert text.startswith("<html>"), "only of HTML"


def test_a_long_script_is_passed_over():
    script = "<script>" + "if (a < b) {}" * 20_000 + "</script>"
    assert lines_of(f"<html><body>{script}<style>{'p{}' * 20_000}</style><!--{'-' * 90_000}--><p>2 days</p>") == [
        "2 days"
    ]


def test_a_page_is_known_by_its_beginning():
    assert is_html(" <!-- a --><?xml version='1.0'?>\n<!DOCTYPE html><html>") and is_html("<HTML>")
    assert not is_html("# A title\n<html>") and not is_html("<!-- no end") and not is_html("")
