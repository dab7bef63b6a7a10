"""Measure how much memory models need on this machine's GPU: `python -m scripts.measure.model_memory`.

It needs PyTorch, transformers and peft. Each case is what `guide fit` calculates, with random weights. The rows go to
`snippets/measured/fit.csv`: `measured` is PyTorch's largest allocation in bytes, without what CUDA itself uses. The
page compares them with the calculation.
"""

import gc
import sys
from typing import Literal

from scripts.measure.language_models import LanguageModel, configuration, load_models
from scripts.measure.machine import gpu, versions
from scripts.measure.records import utc_day
from scripts.measure.rows import read_rows, write_rows
from scripts.models import Strict
from scripts.paths import MEASURED

CSV = MEASURED / "fit.csv"
ATTENTION = ("q_proj", "k_proj", "v_proj", "o_proj")  # the products to which `guide fit` adds an adapter, of rank 16
RANK = 16


class Fit(Strict):
    model: str
    use: Literal["inference", "lora", "full"]
    precision: Literal["float32", "bfloat16"]
    context: int
    batch: int
    checkpointing: bool
    measured: int = 0
    gpu: str = ""
    versions: str = ""
    date: str = ""


def load_measured() -> list[Fit]:
    return read_rows(CSV, Fit)


CASES = [
    Fit(model=model, use=use, precision=precision, context=context, batch=batch, checkpointing=checkpointing)
    for model, use, precision, context, batch, checkpointing in (
        ("GPT-2", "full", "float32", 1024, 8, False),
        ("Qwen2.5 1.5B", "full", "float32", 2048, 1, True),
        ("Qwen2.5 7B", "inference", "bfloat16", 32768, 1, False),
        ("Llama 3.1 8B", "inference", "bfloat16", 4096, 1, False),
        ("Llama 3.1 8B", "lora", "bfloat16", 4096, 1, True),
        ("Llama 3.1 8B", "lora", "bfloat16", 2048, 1, False),
        ("Llama 2 13B", "lora", "bfloat16", 4096, 1, True),
        ("Qwen2.5 32B", "inference", "bfloat16", 4096, 1, False),
    )
]


def network(model: LanguageModel, case: Fit):
    import torch
    import transformers

    dtype = getattr(torch, case.precision)
    with torch.device("cuda"):
        config = configuration(model, model.layers)
        made = transformers.AutoModelForCausalLM.from_config(config, dtype=dtype, attn_implementation="sdpa")
    if case.use == "lora":
        import peft

        options = peft.LoraConfig(task_type="CAUSAL_LM", target_modules=list(ATTENTION), r=RANK)
        made = peft.get_peft_model(made, options)
    if case.checkpointing:
        made.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        made.train()
    return made


def train(made, words) -> None:
    """Two steps: Adam allocates its state in the first."""
    import torch

    trained = [each for each in made.parameters() if each.requires_grad]
    optimizer = torch.optim.AdamW(trained)
    for _ in range(2):
        made(input_ids=words, labels=words).loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def generate(made, words) -> None:
    """Read the prompts in pieces of 8,192 tokens together, as servers do, and generate one token of each."""
    import torch

    piece, cache = 8192 // len(words), None
    with torch.no_grad():
        for start in range(0, words.shape[1], piece):
            part = words[:, start : start + piece]
            found = made(input_ids=part, past_key_values=cache, use_cache=True, logits_to_keep=1)
            cache = found.past_key_values


def measured(case: Fit) -> Fit:
    import torch

    model = next(each for each in load_models() if each.name == case.model)
    gc.collect()  # what the case before left
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    made = network(model, case)
    words = torch.randint(model.vocabulary, (case.batch, case.context), device="cuda")
    (generate if case.use == "inference" else train)(made, words)
    found = {name: version for name, version in versions().items() if name == "torch"}
    return case.model_copy(
        update={
            "measured": torch.cuda.max_memory_allocated(),
            "gpu": gpu().name,
            "versions": " ".join(f"{name} {version.partition('+')[0]}" for name, version in found.items()),
            "date": str(utc_day()),
        }
    )


def main() -> int:
    rows = []
    for case in CASES:
        rows.append(measured(case))
        print(rows[-1], flush=True)
    write_rows(CSV, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
