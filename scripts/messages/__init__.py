"""What schedulers, GPUs and software say when it goes wrong: `snippets/messages/`."""

from scripts.messages.load import Entry, load_messages
