"""The engine in Python's own process. QuickJS runs it; nothing outside of this file knows that.

A runtime belongs to the thread that made it, so one thread of this module's own asks all questions.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import quickjs

from scripts.engine.bundle import JS, whole
from scripts.errors import BadInput
from scripts.paths import shown

SECONDS = 10  # for each script that is asked about; most take milliseconds
BYTES = 2 * 2**30
STACK = 64 * 2**20

_thread = ThreadPoolExecutor(1, thread_name_prefix="engine")  # it starts with the first question
starts = 0  # how many engines there have been; a new one knows no systems


def call(command: str, *arguments: object, systems: dict | None = None, data: dict | None = None) -> object:
    """The answer of one of the commands in js/commands.js, which knows these systems and data from then on.

    A byte that is not UTF-8 reaches the engine as a lone surrogate, as `surrogateescape` decodes it. Raises BadInput
    where the engine fails, or takes longer than SECONDS for each element of the first argument.
    """
    question = json.dumps({"command": command, "arguments": arguments, "systems": systems or {}, "data": data or {}})
    several = len(arguments[0]) if arguments and isinstance(arguments[0], list) else 1
    return json.loads(_thread.submit(_asked, question, SECONDS * max(1, several)).result())


def _asked(question: str, seconds: float) -> str:
    context = _context()
    context.set_time_limit(seconds)
    try:
        return context.get("ask")(question)
    except quickjs.JSException as fault:
        said = str(fault).splitlines()[0].rstrip(".")
        restart()  # an interrupted engine may have half of what it was told
        if "interrupted" in said:
            raise BadInput("engine", None, f"gave no answer in {seconds} seconds.", "Name a job script.") from None
        raise BadInput(shown(JS), None, f"the engine failed: {said}.", "Report this to the guide's authors.") from None


def restart() -> None:
    """The next question starts a new engine."""
    global starts
    starts += 1
    _context.cache_clear()


@cache
def _context() -> quickjs.Context:
    context = quickjs.Context()
    context.set_memory_limit(BYTES)
    context.set_max_stack_size(STACK)
    context.eval(whole())
    return context
