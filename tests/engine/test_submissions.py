"""A script that only submits jobs is judged by the jobs that it submits."""

from scripts.engine.ask import ask
from scripts.facts import load_named

NARVAL = load_named("narval")
OPTIONS = "--account=def-someprof --mem=4G"
CASES = {
    f"sbatch {OPTIONS} --time=9-00:00:00 --wrap='./a'": ("refused", [(2, "time-over-partition")]),
    f"sbatch {OPTIONS} --time=9-0 <<'J'\n#!/bin/bash\n./a\nJ": ("refused", [(2, "time-over-partition")]),
    f"mpirun ./a\nsbatch {OPTIONS} --time=60 --wrap ./b": ("refused", [(1, "no-time")]),  # a job that submits another
    f"for i in 1 2; do\n  sbatch {OPTIONS} --time=60 one.sh $i\ndone": ("accepted", []),
    f"T=9-00:00:00\nsbatch {OPTIONS} --time=$T --wrap ./a": ("refused", [(3, "time-over-partition")]),
    f"sbatch <<EOF\n#!/bin/bash\n#SBATCH {OPTIONS}\n#SBATCH --time=9-0\n./a\nEOF": (
        "refused",
        [(5, "time-over-partition")],
    ),
    f"cat > job.sh <<'EOF'\n#!/bin/bash\n#SBATCH --time=60\n./a\nEOF\nsbatch {OPTIONS} --gpus=zz:1 job.sh": (
        "refused",
        [(2, "gpu-elsewhere")],
    ),
    f"a=$(sbatch --parsable <<'J'\n#!/bin/bash\n#SBATCH {OPTIONS} --time=60\n./a\nJ\n)\n"
    f"sbatch -d afterok:$a <<'J'\n#!/bin/bash\n#SBATCH {OPTIONS} --time=60\n./b\nJ": ("accepted", []),
}


def test_each_submitted_job_is_judged_and_named_by_its_own_line():
    for body, wanted in CASES.items():
        (answer,) = ask("found", [NARVAL], [["narval", f"#!/bin/bash\n{body}\n"]])
        told = [(each["line"], each["rule"]) for each in answer["findings"] if each["kind"] == "refused"]
        assert (answer["verdict"], told) == wanted, body
