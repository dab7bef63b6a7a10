"""What researchers ask the site's search, in a real browser: the right page, or part of it, comes first."""

import random
import re
import string
from pathlib import Path

import pytest
import yaml

from tests.site import looks
from tests.site.looks import DESK
from tests.site.pages import NAMES

ASKED = yaml.safe_load(Path(__file__).with_name("search_questions.yml").read_text(encoding="utf-8"))
# Each question, the address that its answer begins with, and the last rank that this may have.
QUESTIONS = [(*each, 1) for each in ASKED["first"].items()] + [(*each, 3) for each in ASKED["among_three"].items()]
PAIRS = [(asked, wanted, 1) for both, wanted in ASKED["and_mistyped"].items() for asked in both.split(" | ")]

# The addresses that the search box shows, best first: of each page the best part, to which Enter leads.
ANSWER = """question => search.answer(question)
  .map(parts => parts.reduce((best, part) => part.score > best.score ? part : best).location)"""
LOAD = """async () => {
  window.search = new GuideSearch((await (await fetch('../search/search_index.json')).json()).docs)
}"""


@pytest.fixture(scope="module")
def page(browser, address):
    """A page whose search box has been used; window.search ranks without the box."""
    context = browser.new_context(viewport={"width": DESK, "height": looks.HEIGHT})
    context.set_default_timeout(60_000)
    context.add_init_script(looks.WATCH)
    page = context.new_page()
    page.goto(f"{address}/about/how-checked.html")
    looks.search(page, "gpu")
    page.evaluate(LOAD)
    yield page
    context.close()


@pytest.fixture(scope="module")
def ask(page):
    return lambda question: page.evaluate(ANSWER, question)


def with_a_typo(question: str) -> str | None:
    """One letter of the question added, dropped, exchanged or swapped; None if every word is too short for that."""
    chance = random.Random(question)
    if not (words := list(re.finditer("[A-Za-z]{4,}", question))):
        return None
    word = chance.choice(words)
    at = chance.randrange(word.start() + 1, word.end() - 1)
    before, one, two, after = question[:at], question[at], question[at + 1], question[at + 2 :]
    other = chance.choice(string.ascii_lowercase)
    return before + chance.choice((one + other + two, two, other + two, two + one)) + after


def fault(question: str, wanted: str, last: int, found: list[str]) -> str | None:
    """What is wrong with an answer, and what to do about it; None if the wanted one stands at rank `last` or above."""
    ranks = [rank for rank, place in enumerate(found, 1) if place.startswith(wanted)]
    if ranks and ranks[0] <= last:
        return None
    page = f"docs/{wanted.replace('.html', '.md')}" if "." in wanted else f"a page in docs/{wanted}"
    stands = f"stands at rank {ranks[0]} of {len(found)}" if ranks else f"is not among the {len(found)} found"
    first = ", ".join(f"{rank} {name}" for rank, name in enumerate(found[:5], 1)) or "nothing"
    return (
        f"who searches for `{question}` needs {page}, which {stands}. Found were: {first}. "
        f"Put the question's words into a heading or the first sentence of a part of {page}, "
        "or take them out of a heading of the pages before it; "
        "if one of those answers the question now, name it in tests/site/search_questions.yml."
    )


def test_the_right_place_is_found_first(ask):
    wrong = [said for asked, *wanted in QUESTIONS + PAIRS if (said := fault(asked, *wanted, ask(asked)))]
    assert len(QUESTIONS) >= 120 and wrong == [], "\n".join(wrong)


def test_nine_of_ten_questions_are_answered_despite_a_typo(ask):
    asked = [(typo, wanted, last) for question, wanted, last in QUESTIONS if (typo := with_a_typo(question))]
    wrong = [said for typo, wanted, last in asked if (said := fault(typo, wanted, last, ask(typo)))]
    assert len(asked) > 140 and len(wrong) <= len(asked) / 10, "\n".join(wrong)


@pytest.mark.parametrize("question", ["lumi two nodes", "(QOSMaxGRESPerUser)", "gpu ust", "checkp", "qwertzuiop"])
def test_the_box_shows_what_the_search_finds(question, page, ask):
    page.fill(".md-search__input", "")
    page.keyboard.press("Escape")
    assert looks.search(page, question)[:5] == ask(question)[:5]  # the box adds more as one scrolls


def test_words_that_say_nothing_decide_nothing(ask):
    assert ask("gres is no for a") == ask("gres") != []


def test_a_part_of_a_word_is_enough_while_you_type(ask):
    assert ask("checkp")[0].startswith("learn/what-to-ask-for.html#longer") and ask("qwertzuiop") == []


def test_each_page_says_what_it_is_about(pages):
    """Title, description and main heading: there, and each page's own."""
    seen = {"title": {}, "description": {}, "h1": {}}
    for name in NAMES:
        built = pages[name]
        seen["title"][name] = built.findtext("head/title")
        (seen["description"][name],) = built.xpath("//meta[@name='description']/@content")
        seen["h1"][name] = built.find(".//h1").text_content()
        assert 50 <= len(seen["description"][name]) <= 220, (
            f"{name}: a description of {len(seen['description'][name])} letters"
        )
    for what, texts in seen.items():
        assert len(set(texts.values())) == len(texts), f"two pages have the same {what}"
