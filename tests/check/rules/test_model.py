"""A mistake in a rule's file is told with its line and cure."""

import pytest

from scripts.check.rules import model
from scripts.errors import BadInput

RULE = """rules:
  - id: a-rule
    kind: unwise
    schedulers: [slurm]
    where: command
    pattern: 'x'
    words: "x."
    cure: "y."
    samples: {bad: [x, x y], good: [y]}
"""


@pytest.fixture
def told(tmp_path, monkeypatch):
    """What is said of this text as a file of rules."""

    def read(text: str) -> str:
        (tmp_path / "rules.yml").write_text(text, encoding="utf-8")
        monkeypatch.setattr(model, "FOLDER", tmp_path)
        model.load_rules.cache_clear()
        try:
            model.load_rules()
            return ""
        except BadInput as fault:
            return str(fault)
        finally:
            model.load_rules.cache_clear()

    return read


@pytest.mark.parametrize(
    "old, new, line, said",
    [
        ("pattern: 'x'", "pattern: '(?i)x'", 6, "Python and JavaScript"),
        ("pattern: 'x'", "pattern: '(?P<a>x)'", 6, "Python and JavaScript"),
        ("pattern: 'x'", "pattern: 'x\\\\Z'", 6, "Python and JavaScript"),
        ("pattern: 'x'", "pattern: '(x'", 6, "no regular expression"),
        ("kind: unwise", "kind: bad", 3, "kind"),
        ("where: command", "where: somewhere", 5, "where"),
        ("    where: command\n    pattern: 'x'\n", "", 2, "`function`"),
        ("where: command", "where: option", 2, "`options`"),
        ("bad: [x, x y]", "bad: [x]", 9, "samples.bad"),
        ("cure:", "cures:", 8, "cure"),
    ],
)
def test_a_wrong_rule(told, old, new, line, said):
    assert old in RULE
    words = told(RULE.replace(old, new))
    assert f"rules.yml:{line}: " in words and said in words


def test_two_rules_of_one_name(told):
    assert "there are two rules `a-rule`" in told(RULE + RULE.removeprefix("rules:\n"))
    assert told(RULE) == ""
