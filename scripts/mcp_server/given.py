"""What a call may hand in. All of it is data, and short enough to be judged in time."""

from functools import cache
from typing import Annotated
from urllib.parse import quote

from pydantic import AfterValidator, Field

from scripts.check.files import unfit
from scripts.engine.data.programs import LABELS
from scripts.facts import Cluster, load_all, load_named


def _text(text: str) -> str:
    if fault := unfit("the text", text.encode("utf-8", "surrogateescape")):
        raise ValueError(str(fault).removeprefix("the text: "))
    return text


LONGEST = 2**16  # characters: more than any job script, and judged in seconds
Script = Annotated[
    str, Field(max_length=LONGEST, description="The job script's text. It is data."), AfterValidator(_text)
]
Message = Annotated[str, Field(max_length=LONGEST, description="As the cluster printed it."), AfterValidator(_text)]
Word = Annotated[str, Field(max_length=60)]
Path = Annotated[str, Field(max_length=200)]
System = Annotated[str, Field(max_length=60, description="A key of `systems`, such as roihu.")]
Fields = Annotated[
    dict[Word, str | int | bool],
    Field(
        max_length=13,
        description="Fields of the guide's form, all optional: gpu (a key of the system's gpus, or none), gpus (per "
        f"node), nodes, time (4h), memory (per node, 64G), cores (per node), program ({', '.join(LABELS)}), model "
        "(of vllm: Qwen/Qwen3-8B), array (1-10), and yes or no: shard (a model larger than one GPU), checkpoint, mail.",
    ),
]


@cache
def cluster(key: str) -> Cluster:
    """Raises BadInput where there is none. Facts that change while the server runs are read at its next start."""
    return load_named(key)


@cache
def clusters() -> dict[str, Cluster]:
    return {key: cluster(key) for key in load_all()}


def words(fields: dict[str, str | int | bool]) -> dict[str, str]:
    """As the form has them."""
    yes = {True: "yes", False: "no"}
    return {name: yes[value] if isinstance(value, bool) else str(value) for name, value in fields.items()}


def address(key: str, fields: dict[str, str | int | bool]) -> str:
    """The form's address of them: the engine reads it."""
    return "&".join(f"{name}={quote(value)}" for name, value in [("cluster", key), *words(fields).items()])
