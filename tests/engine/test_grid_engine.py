"""The page decides for ARC4 as its twin does."""

from __future__ import annotations

from scripts.engine.ask import ask
from scripts.facts import load_all
from tests.engine.agree_grid_engine import compare
from tests.engine.grid_engine_cases import cases
from tests.twin import kept as twins

NUMBER = 150
ARC4 = load_all()["arc4"]
# What they once differed on: of two, which counts; a range in whole nodes; what is written over.
ONCE = ["-pe smp|-pe ib 14", "-pe whole 1-40", "-pe whole 41-79", "-N 1a|-N b", "-N a/b|-N c", r"-N a\b", "-j y -j x"]
ONCE += ["-pe openmp 40|-l np=80", "-pe ib 0|-l nodes=2", "-l h_vmem=|-l coproc_v100=4"]


def test_it_decides_as_the_scheduler(tmp_path):
    once = ["#!/bin/bash\n#$ -l h_rt=1:0:0\n#$ " + words.replace("|", "\n#$ ") + "\nhostname\n" for words in ONCE]
    found, verdicts = compare(twins.twin(ARC4), [*once, *cases(NUMBER, "arc4")], tmp_path)
    assert not found, "\n".join(found[:5])
    assert verdicts.count("not judged") <= NUMBER // 50
    assert min(verdicts.count("accepted"), verdicts.count("refused")) >= NUMBER // 4


def test_a_refusal_names_its_line_and_the_limit():
    script = "#!/bin/bash\n#$ -cwd\n#$ -l h_rt=72:0:0\n#$ -l coproc_v100=5\nhostname\n"
    ((first, second),) = [each["findings"] for each in ask("gridEngine", [ARC4], "arc4", [script])]
    assert (first["line"], first["rule"], first["limit"]) == (3, "time-over-partition", "2 days")
    assert (second["line"], second["rule"], second["limit"]) == (4, "gpus-over-partition", "4")
    assert first["source"].startswith("University of Leeds, read ")


def test_a_name_with_a_blank_is_told_once_and_one_gpu_is_one():
    text = "#!/bin/bash\n#$ -cwd -l h_rt=1:0:0,coproc_v100=1 -l h_vmem=16G\n#$ -N train model\n./a\n"
    (found,) = ask("judge", [ARC4], "arc4", {"job.sh": text})
    told = {each["rule"]: each["what"] for each in found["findings"] if each["line"] > 1}
    assert set(told) == {"memory-over-gpu", "grid-engine-name"}
    assert "1 GPU brings 4.8 GiB" in told["memory-over-gpu"]
