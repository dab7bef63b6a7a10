"""The landing page of Learn: a part for each path, with its lessons in order."""

from scripts.learning import LearningPath, anchor, load_paths, minutes, source, titles


def paths() -> str:
    return "\n\n".join(_part(name, path) for name, path in load_paths().items()) + "\n"


def _part(name: str, path: LearningPath) -> str:
    lessons = [
        f"{number}. [{titles()[source(lesson)]}](/{source(lesson)}): {after[0].lower()}{after[1:]}"
        for number, (lesson, after) in enumerate(path.lessons.items(), 1)
    ]
    facts = [
        f"- **This path is for you** if {path.who[0].lower()}{path.who[1:]}",
        f"- **Before you start:** {path.before}",
        f"- **Reading time:** about {minutes(list(path.lessons))} minutes.",
    ]
    return "\n".join(
        [f"## {name} {{ #{anchor(name)} }}", "", *facts, "", "What each lesson teaches you to do:", "", *lessons]
    )
