"""Sample models in the tables of "does it fit?": the same function as the command's and the page's."""

from scripts.engine.ask import ask
from scripts.facts.units import Date
from scripts.markdown import table
from scripts.measure.model_memory import Fit, load_measured
from scripts.tables.cluster import Clusters, link

PARTS = ("weights", "gradients", "optimizer", "KV cache", "activations", "total")
# Model, use, and what else is asked, with the words of the row.
SAMPLES = (
    ("Llama 3.1 8B", "inference", {"batch": 16}, "inference, 16 sequences"),
    ("Llama 3.1 8B", "lora", {"checkpointing": True}, "LoRA"),
    ("Llama 3.1 8B", "full", {"checkpointing": True}, "full fine-tuning"),
    ("Llama 3.3 70B", "inference", {"batch": 16}, "inference, 16 sequences"),
    ("Llama 3.3 70B", "lora", {"checkpointing": True, "precision": "4-bit"}, "LoRA, 4-bit weights"),
    ("gpt-oss-120b", "inference", {"batch": 16, "precision": "4-bit"}, "inference, 4-bit, 16 sequences"),
)
COLUMNS = SAMPLES[:5]


def parts(clusters: Clusters) -> str:
    """Bytes by part."""
    rows = []
    for (model, _, _, words), found in zip(SAMPLES, _asked(SAMPLES), strict=True):
        sizes = {part["name"]: part["size"] for part in found["parts"]}
        rows.append((f"{model}: {words}", *(sizes.get(name, "–") for name in PARTS)))
    return table(("Model and use", *(name[0].upper() + name[1:] for name in PARTS)), rows)


def places(clusters: Clusters) -> str:
    """How many GPUs of each kind hold the samples; slices are left out."""
    found = [{(place["key"], place["label"]): place for place in each["places"]} for each in _asked(COLUMNS)]
    rows = []
    for key, label in dict.fromkeys(key for each in found for key, place in each.items() if not place["slice"]):
        numbers = (each[key, label]["enough"] if (key, label) in each else "–" for each in found)
        rows.append((f"{link(clusters[key])}: {label}", *numbers))
    return table(("GPU", *(f"{model}, {words}" for model, _, _, words in COLUMNS)), rows)


def measured(clusters: Clusters) -> str:
    """What was measured on a GPU, beside what is calculated for it."""
    found = load_measured()
    keys = set(Fit.model_fields) - {"measured", "gpu", "versions", "date"}
    calculated = [each["total"] for each in ask("fit", [], [case.model_dump(include=keys) for case in found])]
    rows = [
        (words(case), f"{total / 1e9:.1f} GB", f"{case.measured / 1e9:.1f} GB", f"{case.measured / total - 1:+.0%}")
        for case, total in zip(found, calculated, strict=True)
    ]
    (last,) = {(case.gpu, case.versions, case.date) for case in found}
    told = f"Measured with {last[1]} on an {last[0]} on {Date(last[2]).words}.\n"
    return table(("Model and use", "Calculated", "Measured", "Difference"), rows) + "\n" + told


def words(case: Fit) -> str:
    uses = {"inference": "inference", "lora": "LoRA", "full": "full fine-tuning"}
    size = f"{case.batch} × {case.context:,} tokens" if case.batch > 1 else f"{case.context:,} tokens"
    return f"{case.model}: {uses[case.use]}, {case.precision}, {size}{', checkpointing' * case.checkpointing}"


def _asked(samples: tuple) -> list[dict]:
    return ask("fit", [], [{"model": model, "use": use, **more} for model, use, more, _ in samples])


TABLES = {"fit-parts.md": parts, "fit-places.md": places, "fit-measured.md": measured}
