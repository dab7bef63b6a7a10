"""What the engine says of a job: judged, written, moved, explained, placed. All rules are the engine's."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict  # pydantic wants this one before Python 3.12

from scripts.engine.ask import ask, explained, moved
from scripts.errors import BadInput
from scripts.mcp_server.given import Fields, Message, Script, System, Word, address, cluster, clusters, words

Number = Annotated[int | None, Field(ge=1, le=10_000_000)]


class Finding(TypedDict):
    """kind: refused, fails, ignored, unwise, doubtful or not judged. mend: the edit of a line, where it is certain."""

    line: int
    kind: str
    what: str
    cure: str
    rule: str
    option: str | None
    limit: str | None
    source: str | None
    mend: dict[str, Any] | None


class Verdict(TypedDict):
    """not judged: nobody can know it from what is published. accepted: there may still be findings."""

    verdict: Literal["accepted", "refused", "not judged"]
    findings: list[Finding]


def judge(system: System, script: Script) -> Verdict:
    """Judge a job script: does the scheduler accept it, and what in it fails, has no effect or is unwise there?"""
    known = cluster(system)
    (answer,) = ask("judge", [known], [[known.key, script]])
    return {"verdict": answer["verdict"], "findings": [_finding(each) for each in answer["findings"]]}


def _finding(each: dict) -> Finding:
    return {name: each.get(name) for name in Finding.__annotations__}  # type: ignore[return-value]


class Cost(TypedDict):
    """total: for all its time and all jobs of its array. hour, unit, total: null where no price is published."""

    hour: float | None
    unit: str | None
    total: float | None
    words: str


class Written(TypedDict):
    """The script has a placeholder account, and starts sample programs such as check_gpu.py: replace both."""

    script: str
    cost: Cost


def write(system: System, fields: Fields) -> Written:
    """Write a job script that asks for this; what you leave out is proposed. The error says what can be had."""
    (found,) = ask("write", [cluster(system)], [address(system, fields)])
    if "script" not in found:
        raise BadInput("write", None, found["reason"], "")
    return {"script": found["script"], "cost": _cost(found["cost"])}


def cost(system: System, fields: Fields) -> Cost:
    """Say what such a job costs, by the operator's published prices."""
    return write(system, fields)["cost"]


def _cost(found: dict) -> Cost:
    return {name: found.get(name) for name in Cost.__annotations__}  # type: ignore[return-value]


class Moved(TypedDict):
    """script: empty where no such job can run there. changes: each line that differs, with its reason. impossible: what
    the user must do or lose. findings: what is still wrong with the new script.
    """

    script: str
    changes: list[dict[str, Any]]
    impossible: list[str]
    findings: list[Finding]


def move(
    source: Annotated[System, Field(description="The system that the script is for")],
    target: Annotated[System, Field(description="The system that it should run on")],
    script: Script,
) -> Moved:
    """Rewrite a job script of one system for another."""
    found = moved(cluster(source), cluster(target), script)
    return found | {"findings": [_finding(each) for each in found["findings"]]}  # type: ignore[return-value]


class Explained(TypedDict):
    """job: of a finished job that the text lists, what it used, and the next script. messages: what each means there,
    and the cure. Both empty: the guide does not know the message.
    """

    job: dict[str, Any] | None
    messages: list[dict[str, Any]]


def explain(system: System, message: Message) -> Explained:
    """Explain an error message, a pending reason, or the output of seff or sacct, on a system."""
    job, messages = explained(cluster(system), message)
    return {"job": job, "messages": messages}


class Fits(TypedDict):
    """parts: bytes of each part of memory. places: each GPU that holds it, how many are needed (enough)."""

    title: str
    notes: list[str]
    parts: list[dict[str, Any]]
    total: int
    places: list[dict[str, Any]]


def fit(
    model: Annotated[Word, Field(description="Such as Llama 3.1 8B, or a number of parameters such as 7B")],
    use: Annotated[Word, Field(description="inference, lora or full (fine-tuning)")] = "inference",
    precision: Annotated[Word, Field(description="float32, bfloat16, float16, 8-bit or 4-bit")] = "bfloat16",
    context: Annotated[Number, Field(description="Tokens of one sequence")] = None,
    batch: Annotated[Number, Field(description="Sequences at once")] = None,
    system: Annotated[Word, Field(description="Only this system")] = "",
    checkpointing: bool = False,
) -> Fits:
    """Say how much GPU memory a language model needs, and which GPUs of which systems have it."""
    asked = {"model": model, "use": use, "precision": precision, "system": system, "checkpointing": checkpointing}
    (found,) = ask("fit", [], [asked | {"context": context, "batch": batch}])
    if "reason" in found:
        raise BadInput("fit", None, found["reason"], "")
    return found


class Place(TypedDict):
    """fields: the form's address; write has them as `fields`, without `cluster`."""

    system: str
    gpu: str
    label: str
    gpus: int
    nodes: int
    cost: Cost
    fields: str


class Where(TypedDict):
    can: list[Place]
    cannot: list[dict[str, str]]


def where(
    gpus: Annotated[int, Field(ge=0, le=10_000, description="On all nodes together; 0: a job without a GPU")] = 1,
    gpu_memory: Annotated[float, Field(ge=0, le=10_000, description="Least memory of each GPU, in GB")] = 0,
    vendor: Annotated[Word, Field(description="NVIDIA or AMD; empty: either")] = "",
    fields: Fields | None = None,
) -> Where:
    """Find the systems and GPUs that can run a job, with the cost of each; operators' units cannot be compared."""
    need = {"gpus": gpus, "gpu_memory": gpu_memory, "vendor": vendor, "fields": words(fields or {})}
    (found,) = ask("where", clusters().values(), [need])
    return {"can": [each | {"cost": _cost(each["cost"])} for each in found["can"]], "cannot": found["cannot"]}


TOOLS = (judge, write, cost, move, explain, fit, where)
