"""The glossary's page: a part for each topic, a heading for each term."""

from scripts.glossary import Term, load_glossary


def glossary() -> str:
    parts = []
    for topic, terms in load_glossary().items():
        parts += [f"## {topic}", *(_term(term) for term in terms)]
    return "\n\n".join(parts) + "\n"


def _term(term: Term) -> str:
    others = [each for each in term.also if each.lower() not in term.means.lower()]
    also = f" Also: {', '.join(others)}." if others else ""
    see = f" More: {term.see}." if term.see else ""
    return f"### {term.term} {{ #{term.id} }}\n\n{term.means}{also}{see}"
