"""How programs of the field are told threads, processes, GPUs and memory, as the engine reads it."""

from scripts.facts.programs import programs

FOR_PEOPLE = {"version", "source", "read"}


def programs_told() -> list[dict]:
    """The table's entries; what does not apply is left out."""
    return [each.model_dump(exclude=FOR_PEOPLE, exclude_unset=True) for each in programs()]
