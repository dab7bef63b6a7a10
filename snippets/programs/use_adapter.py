"""Continue a text with a language model and the adapter that finetune.py saved."""

import sys

import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM, AutoTokenizer

name, adapter, text = sys.argv[1:]  # for example: Qwen/Qwen3-0.6B adapter "A GPU is"
gpu = torch.accelerator.is_available()
device = torch.accelerator.current_accelerator() if gpu else torch.device("cpu")
tokenizer = AutoTokenizer.from_pretrained(name)
model = AutoModelForCausalLM.from_pretrained(name, dtype=torch.bfloat16)
model = PeftModel.from_pretrained(model, adapter).to(device)
start = tokenizer(text, return_tensors="pt").to(device)
print(tokenizer.decode(model.generate(**start, max_new_tokens=50)[0]))
