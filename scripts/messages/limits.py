"""The refusals of the table of limits, as texts of the messages that explain them."""

from __future__ import annotations

import re
from pathlib import Path

from scripts.errors import BadInput, did_you_mean
from scripts.facts.limits import Group, rows
from scripts.messages.model import Message, Page
from scripts.paths import shown

PLACE = re.compile(r"\{\w+\}")


def refusals() -> dict[str, str]:
    """`partitions.max_gpus` -> what the plugin says, with `…` for what differs."""
    return {
        f"{group}.{key}": PLACE.sub("…", row.refusal)
        for group in Group.__args__
        for key, row in rows(group).items()
        if row.refusal
    }


def with_texts(page: Page, path: Path) -> Page:
    """The page with texts in place of limits. An entry for `others` goes where there are none.

    Raises BadInput for a key that is no limit with a refusal.
    """
    texts = refusals()
    entries = [message for group in page.groups for message in group.messages.values()]
    named = {key for message in entries if message.limits != "others" for key in message.limits}
    for key in named - texts.keys():
        raise BadInput(shown(path), None, f"`{key}` is no limit with a refusal.", did_you_mean(key, list(texts)))
    others = [key for key in texts if key not in named]

    def filled(message: Message) -> Message:
        keys = others if message.limits == "others" else message.limits
        return message.model_copy(update={"texts": list(dict.fromkeys(texts[key] for key in keys))})

    groups = []
    for group in page.groups:
        messages = {key: filled(each) if each.limits else each for key, each in group.messages.items()}
        found = {key: each for key, each in messages.items() if each.texts}
        groups.append(group.model_copy(update={"messages": found}))
    return page.model_copy(update={"groups": groups})
