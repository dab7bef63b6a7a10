"""The typed model of `snippets/messages/*.yml`: one file a page, a heading a group, an entry a message."""

import re
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, RootModel, field_validator, model_validator

from scripts.facts.model import Source
from scripts.facts.units import Date
from scripts.models import Strict

Text = Annotated[str, Field(min_length=3)]
Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
ANY = "…"
PASTED = re.compile(r"<(\d):([^<>]+)>")  # `<1:NAME>`: what the paste has at a text's first `…`; on the page, NAME


SAID = ("means", "do", "was", "now")


class When(StrEnum):
    SUBMITTING = "submitting"
    WAITING = "waiting"
    STARTING = "starting"
    RUNNING = "running"
    ENDED = "ended"


class Systems(StrEnum):
    """Systems by what they have; else they are listed by key."""

    ALL = "all"
    SLURM = "slurm"
    GRID_ENGINE = "grid_engine"
    NVIDIA = "nvidia"
    AMD = "amd"


class Shared(Strict):
    """What a group says for all its messages, and a message for itself."""

    of: str | None = Field(
        None,
        description="Where the texts are from: a key of sources.yml; a page's address; `twins`, which say them in the "
        "tests' sweep; or `facts`, where they are an operator's `refusal`",
    )
    read: Date | None = Field(None, description="The day on which the pages were read that `of` names by their address")
    on: Systems | list[str] | None = Field(None, description="The systems that say it; those of `facts` are found")
    rank: Literal["end", "vague", "follows", "noise", "general", "progress"] | None = Field(
        None,
        description="Explained after the others that were pasted with it: it tells how the job ended (`end`), is the "
        "system's word for many causes (`vague`), another error caused it (`follows`), it is harmless, so that its "
        "lines count for no other message (`noise`), it only says that there is an error (`general`), or a job that "
        "starts well has it (`progress`). Where a cause is told, what is `vague`, `follows` or `general` is not",
    )
    rare: bool = Field(
        False, description="The site's search leaves it out, so that its index stays small; explained all the same"
    )


class Message(Shared):
    texts: list[Text] = Field(
        default_factory=list, description="As printed; `…` stands for what differs. The first is the title"
    )
    beside: list[Text] | None = Field(
        None,
        min_length=1,
        description="Texts of which one must stand in the paste too. The entry then goes before those that need none, "
        "and its `texts` may be those of another entry",
    )
    in_words: str | None = Field(
        None,
        description="What `beside` means, in words after the title on the page, if its texts would puzzle a reader",
    )
    fact: Literal["proot", "rocm", "retired"] | None = Field(
        None,
        description="The topic (scripts/engine/data/messages.py) of which a system must have a fact, which is told "
        "first. The entry then goes before all others, and its `texts` may be those of another entry",
    )
    limits: list[str] | Literal["others"] = Field(
        default_factory=list,
        description="In place of texts: keys of scripts/facts/limits.yml, as `partitions.max_gpus`, whose refusals it "
        "explains; `others`: those that no entry names",
    )
    means: str = Field(description="One or two plain sentences")
    do: str = Field(description="What to do, as sentences")
    was: str | None = Field(None, description="A line that is wrong")
    now: str | None = Field(
        None,
        description="The line to write instead. In this, `was`, `means` and `do`, `<1:NAME>` is what was pasted for "
        "the first `…` of the text, and NAME on the page and where that is no plain word",
    )
    see: str | None = Field(None, description="A Markdown link to the page that says more")

    @field_validator("texts", "beside", mode="before")
    @classmethod
    def _one_by_one(cls, value: object) -> object:
        each = [value] if isinstance(value, str) else value
        if not isinstance(each, list) or not all(isinstance(written, str) for written in each):
            return value
        return [text for written in each for text in written.split(" ¦ ")]

    @model_validator(mode="after")
    def _has_texts_or_limits(self):
        if bool(self.texts) == bool(self.limits):
            raise ValueError("an entry has `texts:`, or `limits:` whose refusals it explains")
        return self

    @model_validator(mode="after")
    def _names_a_place_that_a_text_has(self):
        most = max((text.count(ANY) for text in self.texts), default=0)
        said = [text for name in SAID if (text := getattr(self, name))]
        for place, usual in (each for text in said for each in PASTED.findall(text)):
            if not 1 <= int(place) <= most:
                raise ValueError(f"`<{place}:{usual}>` is for `…` number {place}, and no text has more than {most}")
        return self

    def usual(self) -> "Message":
        """As it stands on the page, where nothing is pasted."""
        said = {name: text and PASTED.sub(r"\2", text) for name in SAID for text in [getattr(self, name)]}
        return self.model_copy(update=said)


class Group(Shared):
    heading: str
    when: When
    words: str | None = Field(None, description="What holds for all of them")
    messages: dict[Id, Message]


class Page(Shared):
    """What it says for all its groups stands first."""

    groups: list[Group]

    @model_validator(mode="before")
    @classmethod
    def _for_all_groups(cls, value: dict) -> dict:
        given = {name: value[name] for name in Shared.model_fields if name in value}
        groups = value.get("groups")
        return {**value, "groups": [{**given, **each} for each in groups]} if isinstance(groups, list) else value


class Sources(RootModel[dict[str, Source]]):
    """Key -> what was read."""
