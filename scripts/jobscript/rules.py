"""The check's rules, as the engine reads them."""

from __future__ import annotations

from scripts.check.rules.model import load_rules
from scripts.check.slurm_options import SRUN_TAKES, TAKES


def rules() -> dict:
    """`list`: the rules without their samples and what is empty; `srun`: srun's own long options."""
    each = (rule.model_dump(exclude={"samples"}, exclude_defaults=True) for rule in load_rules())
    return {"list": list(each), "srun": " ".join(sorted(SRUN_TAKES - TAKES.keys()))}
