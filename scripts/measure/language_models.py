"""The shapes of public models, and what PyTorch counts in each: `snippets/measured/models.csv`.

python -m scripts.measure.language_models    counts anew, in an environment that has torch and transformers

Each model is built on the meta device, which has shapes but no memory. `read`: the parameters that one token needs at
least, without the input tables and the experts that are not chosen. `layer_bytes`, `head_bytes`: what a training step
in bfloat16 stores for the backward pass, for each token, in one layer and outside of the layers.
"""

import sys
from functools import cache

from pydantic import Field

from scripts.measure.rows import read_rows, write_rows
from scripts.models import Strict
from scripts.paths import MEASURED

CSV = MEASURED / "models.csv"
NO_CACHE = ("bert", "vit")  # they read everything at once, so they store no keys and values
TOKENS = 64  # each of these can be counted with so few; ViT has its own


class LanguageModel(Strict):
    name: str
    type: str
    layers: int
    hidden: int
    inner: int
    heads: int
    kv: int
    head: int
    vocabulary: int = Field(description="Or classes")
    tied: int = Field(description="Is the output's table the input's?")
    longest: int = Field(description="Tokens")
    sliding: int = Field(description="Layers that look back over `window` tokens only")
    window: int
    experts: int
    chosen: int = Field(description="Experts for each token")
    parameters: int = 0
    read: int = 0
    layer_bytes: int = 0
    head_bytes: int = 0


@cache
def load_models() -> tuple[LanguageModel, ...]:
    return tuple(read_rows(CSV, LanguageModel))


def configuration(model: LanguageModel, layers: int):
    """As transformers names it."""
    import transformers

    size = {"num_attention_heads": model.heads, "hidden_size": model.hidden, "num_hidden_layers": layers}
    table = {"vocab_size": model.vocabulary, "tie_word_embeddings": bool(model.tied)}
    if model.type == "gpt2":
        gpt2 = {"n_embd": model.hidden, "n_layer": layers, "n_head": model.heads, "n_positions": model.longest}
        return transformers.AutoConfig.for_model("gpt2", **gpt2, **table)
    if model.type == "vit":
        return transformers.AutoConfig.for_model("vit", **size, intermediate_size=model.inner, num_labels=1000)
    size |= {"intermediate_size": model.inner, "max_position_embeddings": model.longest} | table
    if model.type != "bert":
        size |= {"num_key_value_heads": model.kv, "head_dim": model.head, "pad_token_id": None}
    if model.experts:
        size |= {"num_local_experts": model.experts, "num_experts": model.experts}
        size |= {"num_experts_per_tok": model.chosen, "moe_intermediate_size": model.inner}
    return transformers.AutoConfig.for_model(model.type, **size)


def build(model: LanguageModel, layers: int):
    import torch
    import transformers

    kinds = {"bert": transformers.AutoModelForMaskedLM, "vit": transformers.AutoModelForImageClassification}
    kind = kinds.get(model.type, transformers.AutoModelForCausalLM)
    with torch.device("meta"):
        return kind.from_config(
            configuration(model, layers), dtype=torch.bfloat16, attn_implementation=flash_attention()
        )


@cache
def flash_attention() -> str:
    """An attention that stores what FlashAttention stores: queries, keys, values and the result."""
    import torch
    import transformers

    class Attention(torch.autograd.Function):
        @staticmethod
        def forward(context, query, key, value):
            result = torch.empty_like(query)
            context.save_for_backward(query, key, value, result)
            return result

    def attention(module, query, key, value, mask, **options):
        return Attention.apply(query, key, value).transpose(1, 2), None

    transformers.AttentionInterface.register("counted", attention)
    return "counted"


def stored(model: LanguageModel, layers: int) -> int:
    """Bytes that one step stores for the backward pass, for each token."""
    import torch

    network = build(model, layers)
    own = {parameter.untyped_storage()._cdata for parameter in network.parameters()}
    found = {}

    def note(tensor):
        storage = tensor.untyped_storage()
        if storage._cdata not in own:
            found[storage._cdata] = storage
        return tensor

    words = torch.zeros(1, TOKENS, dtype=torch.long, device="meta")
    given = {"input_ids": words, "labels": words}
    if model.type == "vit":
        given = {"pixel_values": torch.zeros(1, 3, 224, 224, dtype=torch.bfloat16, device="meta")}
    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        result = network(**given)
    assert result is not None
    return sum(storage.nbytes() for storage in found.values()) // (model.longest if model.type == "vit" else TOKENS)


def counted(model: LanguageModel) -> LanguageModel:
    import torch

    network = build(model, model.layers)
    head = network.get_output_embeddings()
    tables = {module.weight for module in network.modules() if isinstance(module, torch.nn.Embedding)}
    unread = sum(table.numel() for table in tables if head is None or table is not head.weight)
    experts = sum(each.numel() for name, each in network.named_parameters() if ".experts." in name)
    idle = experts * (model.experts - model.chosen) // model.experts if model.experts else 0
    total = sum(parameter.numel() for parameter in network.parameters())
    one, two = stored(model, 1), stored(model, 2)
    numbers = {
        "parameters": total,
        "read": total - unread - idle,
        "layer_bytes": two - one,
        "head_bytes": 2 * one - two,
    }
    return model.model_copy(update=numbers)


def main() -> int:
    write_rows(CSV, [counted(model) for model in load_models()])
    return 0


if __name__ == "__main__":
    sys.exit(main())
