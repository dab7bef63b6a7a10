"""Write a small language model that has read little, an adapter and a text: what programs get instead of real ones."""

import sys
from pathlib import Path

import peft
import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from scripts.paths import ROOT


def write_language_model(folder: Path) -> None:
    """Write `model/` as transformers saves one and its tokenizer, `adapter/` as PEFT does, and `text.txt`, a lesson."""
    text = (ROOT / "docs/learn/scaling.md").read_text(encoding="utf-8")
    (folder / "text.txt").write_text(text, encoding="utf-8")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel()
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator([text], trainers.BpeTrainer(vocab_size=1000, initial_alphabet=alphabet))
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer).save_pretrained(folder / "model")
    size = {"hidden_size": 128, "intermediate_size": 256, "num_hidden_layers": 2, "vocab_size": 1000}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 32}
    config = transformers.Qwen3Config(**size, **heads, max_position_embeddings=2048)
    torch.manual_seed(0)
    model = transformers.Qwen3ForCausalLM(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    data = torch.tensor(tokenizer.encode(text).ids).unfold(0, 64, 64)
    for step in range(15):  # it has read a little, so that an adapter can help it
        optimizer.zero_grad()
        batch = data[torch.arange(4 * step, 4 * step + 4) % len(data)]
        model(input_ids=batch, labels=batch).loss.backward()
        optimizer.step()
    model.save_pretrained(folder / "model")
    lora = peft.LoraConfig(task_type="CAUSAL_LM", target_modules="all-linear")
    peft.get_peft_model(model, lora).save_pretrained(folder / "adapter")


if __name__ == "__main__":
    write_language_model(Path(sys.argv[1]))
