"""Many scripts to one twin, in one shell, twelve at a time: Grid Engine's command sleeps more than it works."""

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scripts.check.scheduler import Answer
from scripts.twin.daemon import NOT_HEARD, Twin

COMMANDS = {"slurm": "sbatch --test-only", "grid_engine": "qsub -w v"}
ASK_ALL = r"""for script in job-*; do
{ %s "$script"; printf '\n%%d' $?; } > "said-$script" 2>&1 &
(( ++asked %% 12 )) || wait
done; wait
# A busy qmaster turns connections away: what it has not heard is asked once more, alone.
for said in $(grep -lEi "$1" said-*); do
script=${said#said-}
{ %s "$script"; printf '\n%%d' $?; } > "$said" 2>&1
done"""


def ask_many(twin: Twin, scripts: Sequence[str | bytes]) -> list[Answer]:
    """What the twin says of each script."""
    if not scripts:
        return []
    with twin.in_use(), tempfile.TemporaryDirectory(dir=twin.folder, prefix="asked-") as folder:
        names = [f"job-{number:06}" for number in range(len(scripts))]
        for name, script in zip(names, scripts, strict=True):
            data = script if isinstance(script, bytes) else script.encode("utf-8", "surrogateescape")
            Path(folder, name).write_bytes(data)
        asks = COMMANDS[twin.cluster.scheduler.kind]
        command = ["bash", "-c", ASK_ALL % (asks, asks), "ask-all", NOT_HEARD.pattern]
        subprocess.run(command, env=twin.environment, cwd=folder)
        said = [Path(folder, f"said-{name}").read_text(encoding="utf-8", errors="replace") for name in names]
    assert not (silent := [text for text in said if NOT_HEARD.search(text)]), silent[0]
    answers = (text.rpartition("\n") for text in said)
    return [Answer(status == "0", text.strip()) for text, _, status in answers]
