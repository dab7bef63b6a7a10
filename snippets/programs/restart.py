"""Save everything that a run needs to resume, and resume from it. Copy this file."""

import os
import signal

import torch


class Run:
    """The parts of a run, its step, and whether a signal has asked it to stop."""

    def __init__(self, file: str, **parts):
        self.file, self.parts, self.step, self.asked = file, parts, 0, False
        signal.signal(signal.SIGUSR1, self.ask)  # the time limit is near
        signal.signal(signal.SIGTERM, self.ask)  # the job is about to end
        if os.path.exists(file):
            self.load()

    def ask(self, *_):
        self.asked = True

    def load(self):
        saved = torch.load(self.file, map_location="cpu", weights_only=True)
        for name, part in self.parts.items():
            part.load_state_dict(saved[name])
        torch.set_rng_state(saved["random"])
        torch.cuda.set_rng_state_all(saved["random_gpu"])
        self.step = saved["step"]
        print(f"resumes after step {self.step}", flush=True)

    def save(self):
        state = {name: part.state_dict() for name, part in self.parts.items()}
        state |= {"step": self.step, "random": torch.get_rng_state()}  # the CPU's
        state["random_gpu"] = torch.cuda.get_rng_state_all()
        torch.save(state, self.file + ".new")
        os.replace(self.file + ".new", self.file)  # never leaves a partial file
