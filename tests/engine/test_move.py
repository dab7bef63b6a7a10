"""A script that moves is taken there, and keeps its GPUs, its memory and its time, or says what it cannot keep."""

import re
from functools import cache

import pytest

from scripts.engine.__main__ import main
from scripts.errors import BadInput
from scripts.facts import load_all
from scripts.facts.model import Rule
from scripts.paths import SNIPPETS
from tests.engine.moves import accused, all_asks, changed, directives, moved, not_kept, random_asks, refused, told

CLUSTERS = load_all()
ASKS = all_asks(CLUSTERS)
DAY = 3  # one in so many moves of the guide's scripts is made here; all are by `python -m tests.engine.agree`
EACH = 9  # of the moves to a system, so many are asked of its twin
SEED = "by day"
KESTREL = """#!/bin/bash -l
#SBATCH --job-name=mine  # a name
#SBATCH -A solar7 -p gpu-h100
#SBATCH -N 1 -n 1 -c 32
#SBATCH --mem=80G --gpus=h100:1
#SBATCH -t 1-12
#SBATCH --mail-type=END
#SBATCH --nodelist=x3100c0s5b0n0

module load cuda mamba
srun ./mine /scratch/$USER/in /projects/solar7/out
"""


def one(old: str, new: str, text: str):
    return moved(CLUSTERS, [(old, "mine.sh", new, text)])[0]


@cache
def others() -> list:
    return [*changed(ASKS, 150, SEED), *random_asks(CLUSTERS, 12, SEED)]


@pytest.mark.parametrize("new", sorted({to for _, _, to, _ in ASKS}))
def test_scripts_keep_what_they_have_or_say_so_and_the_twin_accepts_them(new):
    scripts, varied = [moved(CLUSTERS, [ask for ask in asks if ask[2] == new]) for asks in (ASKS[::DAY], others())]
    assert len(scripts) > 20 and varied
    assert [fault for case in [*scripts, *varied] for look in (not_kept, told) for fault in look(case)] == []
    rule = CLUSTERS[new].policy.partition.rule
    named = ["partition" in directives(case.script) for case in scripts if case.script]
    assert all(named) or rule is not Rule.REQUIRED
    assert not any(named) or rule is not Rule.LEAVE_OUT
    sample = [scripts[number * len(scripts) // EACH] for number in range(EACH)]
    assert refused([*sample, *varied]) == []
    assert accused(sample) == []


def test_each_line_of_a_readers_own_script_is_kept_or_changed_with_a_reason():
    case = one("kestrel", "rorqual", KESTREL)
    assert directives(case.script) == {
        "job-name": "mine",
        "account": "def-myself",
        "nodes": "1",
        "ntasks": "1",
        "cpus-per-task": "16",
        "mem": "124G",
        "gpus-per-node": "h100:1",
        "time": "1-12",
        "mail-type": "END",
    }
    assert "#SBATCH --job-name=mine  # a name\n" in case.script
    assert "srun ./mine /scratch/$USER/in /project/def-myself/out\n" in case.script
    assert "module load cuda/12.9 python/3.12" in case.script, "the version that Rorqual has"
    assert any("Do not use conda on Rorqual" in said for said in case.impossible)
    assert list(told(case)) == []


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("R=$SCRATCH/r-{}\nmkdir $R\npython t.py --resume auto --out $R\ncp $R/a ~/b-$SLURM_JOB_ID", ""),
        ("mkdir r-{0}\ncd r-{0}\nsrun --jobid=$SLURM_JOB_ID gmx mdrun -cpi state.cpt", ""),
        ("# finished ids are skipped\npython t.py --output $SCRATCH/a.jsonl > l-$SLURM_JOB_ID", ""),
        ("# cannot be resumed\nsrun ./wrf.exe\ncp $SLURM_TMPDIR/o ~", "`srun ./wrf.exe` continues"),
        ("srun ./a\ncp $SLURM_TMPDIR/o ~/o", "At the time limit, `cp $SLURM_TMPDIR/o ~/o` does not run"),
        ("echo $(date)\nR=~/r/$(date +%F)\npython t.py --resume --out $R", "`R=~/r/$(date +%F)` gives each job a new"),
        ("D=$(date +%F)\npython t.py fit --trainer.root r/$D --ckpt_path last.ckpt", "`D=$(date +%F)` gives each job"),
        ("[ -s CONTCAR ] && cp CONTCAR POSCAR\nsrun vasp_std", ""),
        ("python t.py --resume --save m-{}.pt", ""),
        ("python t.py --resume --out $SLURM_TMPDIR/o", "the program saves to `$SLURM_TMPDIR/o`, which"),
        ("python t.py --resume --out ~/run/o\nrm -rf ~/run", "`rm -rf ~/run` deletes what the next job needs"),
        ("W=~/run\ntrap 'rm -rf $W' EXIT\npython t.py --resume --out $W/o", "trap 'rm -rf $W' EXIT` deletes"),
        ("python t.py --resume\nsbatch next.sh", "cannot submit jobs, so remove `sbatch next.sh`."),
        ("python t.py --resume\nif ! [ -e x ]; then\nsbatch b.sh\nfi", "replace `sbatch b.sh` with `:`."),
        ("srun lmp -in a\ncp restart.* $SCRATCH/", "because we do not see that `srun lmp -in a` continues"),
        ("trap 'cp a.restart b; sbatch $0' USR1\n./a --resume &\nwait", "so replace `sbatch $0` with `:`"),
        ("# restarts\ncd $SCRATCH\nsrun lmp -in a -log r/log.$SLURM_JOB_ID", ""),
        ("if [ -z $SLURM_JOB_ID ]; then\nsbatch $0; exit\nfi\npython t.py --resume", ""),
    ],
)
def test_a_long_job_is_divided_only_where_the_next_one_continues(body, words):
    case, said = said_of("narval trillium --gpus-per-node=a100:4 --time=2-0", body.format("$SLURM_JOB_ID"))
    assert ("array" in directives(case.script)) == (not words) and words in said
    limit = "The time limit in `compute` on Trillium is 24 hours"
    assert not words or limit in said and "A job array (`--array=1-2%1`) may not" in said
    new = body.format("$SLURM_ARRAY_JOB_ID").replace("~/b-", "$SCRATCH/b-")
    assert words or case.script.replace("$HOME", "~").endswith(f"{new}\n")


@pytest.mark.parametrize(
    ("options", "body", "words", "not_said"),
    [
        ("-a 1-4", "beast -statefile a.state -overwrite a.xml", "In the others, write `-resume` instead", "divided"),
        ("-a 1-4", "iqtree2 -s a.phy --redo", "`--redo` overwrites what the previous job saved. Only the first", ""),
        ("", "srun ./a --force", "because `--force` overwrites what the previous job saved. Submit the job 3", ""),
        ("", "O=~/$SLURM_JOB_ID\n./a --restart --out $O\ncp $O/a ~\nrm -r $O", "to a directory of its own", ""),
        ("-a 1-4", "rm -rf out\n./a --resume --out out/1", "`rm -rf out` deletes what the next job needs. Only", ""),
        ("-a 1-4", "decomposePar -force\nsrun ./a --restart", "But `decomposePar -force` may overwrite", "continues"),
        ("-a 1-4", "[ -d p ] || decomposePar -force\nsrun ./a --restart", "program continues from", "may overwrite"),
        ("", "decomposePar -force\nsrun ./a --restart", "because `decomposePar -force` may overwrite", "from what"),
        ("-a 2-3%1", "srun gmx mdrun -cpi a.cpt", "provide the time of the 2 before", "times for"),
        ("-a 2-3%1", "./a --resume $SLURM_ARRAY_TASK_ID", "Submit the array 3 times to cover its 3 days", "provide"),
        ("", "snakemake --unlock\nsnakemake --rerun-incomplete", "", "Write `snakemake --unlock`"),
        ("", "snakemake --rerun-incomplete", "Write `snakemake --unlock` before", "A job array"),
        ("-a 1-4", "srun ./a", "restart from it, because we do not see that `srun ./a`", "A job array"),
        ("-a 1-4", "./a --resume --out /scratch/me/$SLURM_JOB_ID", "number from `/scratch/me/$SLURM_JOB_ID`, so", ""),
        ("", "# restarts itself\n./a\nsbatch -d afterany:$SLURM_JOB_ID a.sh", "cannot submit jobs, so remove", "3%1"),
    ],
)
def test_parts_of_a_long_job_continue(options, body, words, not_said):
    case = one("cedar", "trillium", f"#!/bin/bash\n#SBATCH -A def-x -t 3-0 -c 192 {options}\n{body}\n")
    said = " ".join([*case.impossible, *(each["reason"] for each in case.changes)])
    assert words in said and (not not_said or not_said not in said), said


def test_what_is_copied_finds_its_directory_and_room_there():
    body = "# results, 180 GB each\nR=/projects/p/r\ncp a.nc $R/n/\ncp -r c $R/n/d\n./a >$R/n/o"
    case, said = said_of("kestrel lumi -A p -p standard", body)
    assert '\nmkdir -p "$R/n"\ncp a.nc' in case.script and case.script.count("mkdir") == 1
    assert "on LUMI is 50 GB and 100,000 files, but the script's comments name 180 GB. Write what is larger" in said
    read = "cp /projects/p/r/a .\ncp b /projects/p/r/"
    assert "mkdir" not in one("kestrel", "lumi", SLURM.format("-A p -p standard", read)).script
    name = "W=/projects/p/r\nmkdir -p $W\ncp CONTCAR $W/POSCAR\ncp a $W/x/"
    assert one("kestrel", "lumi", SLURM.format("-A p", name)).script.count("mkdir") == 2, (
        "one for x, as POSCAR is a file"
    )
    branch = "case $1 in\n a) cp b /projects/p/r/x/ ;;\nesac"
    assert "mkdir" not in one("kestrel", "lumi", SLURM.format("-A p -p standard", branch)).script
    step = "srun -N 2 bash <<'E'\nvirtualenv $SLURM_TMPDIR/e\ntar xf d.tar -C $SLURM_TMPDIR  # 310 GB\nE\nsrun ./a"
    case, said = said_of("narval lumi -A def-x -N 2", step)
    assert "/tmp" not in case.script and "several tasks would create this directory" in said


def test_a_helper_that_writes_its_job_keeps_the_values_that_it_computes():
    job = "#SBATCH -A $P -p gpusmall\n#SBATCH --gres=gpu:a100:$N\n#SBATCH --time=${H}:00:00\ncd /scratch/$P/x\n./a"
    text = f"#!/bin/bash\nP=project_1\nN=$1\ncat > $D/a.sh <<E\n#!/bin/bash\n{job}\nE\nJ=$(sbatch $D/a.sh)\n"
    case = one("mahti", "lumi", f"{text}until squeue -j $J | grep R; do sleep 9; done\n")
    assert all(each in case.script for each in ("node=$N\n", "time=${H}:00:00\n", "/scratch/project_462000123/x\n"))
    said = " ".join(case.impossible)
    assert "`--time=${H}:00:00` stays" in said and "time limit in `small-g` is 3 days" in said
    assert "is a script for" not in said and accused([case]) == []


def test_an_environment_on_the_local_disk_is_filled_on_each_node_where_a_job_spreads():
    text = (SNIPPETS / "nibi/full_node.sh").read_text(encoding="utf-8")
    case = one("nibi", "fir", text)
    assert "srun bash -e << 'EOF'\nvirtualenv" in case.script and accused([case]) == []
    assert "<<" not in one("nibi", "fir", text.replace("h100:8", "h100:4")).script


def test_a_gpu_that_pytorch_no_longer_knows_is_left_to_jobs_without_it():
    with_torch = (SNIPPETS / "cedar/one_gpu.sh").read_text(encoding="utf-8")
    case = one("cedar", "rivanna", with_torch)
    assert case.has["key"] != "v100" and accused([case]) == []
    bare = "#!/bin/bash\n#SBATCH -A def-x -t 60 --gpus-per-node=v100l:1\n./mine\n"
    assert one("cedar", "rivanna", bare).has["key"] == "v100"


def test_where_only_some_numbers_of_gpus_are_allowed_the_next_larger_is_taken():
    for number, more in {1: 1, 3: 4, 4: 4, 6: 8}.items():
        case = one("fir", "trillium", f"#!/bin/bash\n#SBATCH -A def-x -t 60 --gpus={number}\nsrun ./a\n")
        assert case.has["gpus"] == more and any("instead of" in said for said in case.impossible) == (number != more)


def test_what_cannot_be_moved_is_said():
    slurm = one("kestrel", "arc4", KESTREL)
    assert slurm.script == "" and "Grid Engine" in slurm.impossible[0]
    assert one("fir", "fir", KESTREL).impossible == ["The script is for Fir. Name another system to which it moves."]
    gone = one("kestrel", "puhti", KESTREL)
    assert gone.script == "" and "accepts no jobs" in gone.impossible[0]
    amd = one("kestrel", "lumi", KESTREL)
    assert all(any(words in said for said in amd.impossible) for words in ("Rebuild them with HIP", "80 GB"))
    arm = one(
        "puhti", "roihu", "#!/bin/bash\n#SBATCH --gres=gpu:v100:1\n#SBATCH -t 5\n#SBATCH -A project_2009999\n./a\n"
    )
    assert any("aarch64" in said for said in arm.impossible) and "--account=project_2009999" in arm.script


def test_grid_engine_becomes_slurm():
    text = (
        "#!/bin/bash\n#$ -N mine -cwd -V\n#$ -l h_rt=3600,coproc_v100=2\n#$ -t 1-8\n#$ -tc 2\n#$ -M me@example.org\n"
        "#$ -hold_jid 77\n./mine $SGE_TASK_ID ${JOB_ID} $NSLOTS\n"
    )
    case = one("arc4", "aire", text)
    found = directives(case.script)
    assert int(found.pop("cpus-per-task")) == 16 and found.pop("mem").endswith("G")
    assert found == {
        "job-name": "mine",
        "partition": "gpu",
        "array": "1-8%2",
        "nodes": "1",
        "ntasks": "1",
        "gres": "gpu:2",
        "time": "01:00:00",
        "mail-user": "me@example.org",
        "dependency": "afterany:77",
    }
    cores = one("arc4", "aire", "#!/bin/bash\n#$ -l h_rt=600,h_vmem=2G\n#$ -pe smp 40\n./mine\n")
    assert "partition" not in directives(cores.script), "the usual one is taken without a name"
    ranks = one("arc4", "aire", "#!/bin/bash\n#$ -l h_rt=600\n#$ -pe ib 80\nmpirun -np $NSLOTS ./mine\n")
    assert "mpirun -np $SLURM_NTASKS ./mine" in ranks.script and directives(ranks.script)["ntasks"] == "80"
    assert "./mine $SLURM_ARRAY_TASK_ID ${SLURM_ARRAY_JOB_ID} $SLURM_CPUS_PER_TASK\n" in case.script
    assert "#$" not in case.script and refused([case]) == []


HOSTILE = [
    "",
    "\n",
    "#!/bin/bash\r\n#SBATCH -t 5\r\n#SBATCH --gpus=1\r\n./mine\r\n",
    "\0\1\2",
    '"><img src=x onerror=alert(1)>\n#SBATCH -A "><img>\n',
    "#SBATCH --gres=gpu:$(id):2 -t x --mem=abc -N two\n",
    "#!/bin/bash\n#SBATCH --time=\n#SBATCH --gpus=\n#SBATCH --gres\n",
    "#SBATCH --array=1-" + "9" * 400 + "\n",
    "#SBATCH --nodes=99999999999999999999 --gpus=100000000 -t 1\n",
    "#$ -l h_rt=x,coproc_v100=,nodes=zz\n#$ -pe smp\n#$ -t\n",
    "#SBATCH -t 5\n#SBATCH hetjob\n#SBATCH -t 5\n",
    "srun python3 /scratch/me/x " * 1000,
    "echo " + "a" * 16_000,
]


def test_any_text_moves_or_is_told_why_not():
    pairs = [(old, new) for old in ("kestrel", "arc4", "lumi") for new in ("roihu", "fir")]
    asks = [(old, "mine.sh", new, text) for old, new in pairs for text in HOSTILE]
    for case in moved(CLUSTERS, asks):
        assert case.script or case.impossible or not case.text.strip(), case.what
        assert list(told(case)) == [] and "\r" not in case.script


TASKS = "#!/bin/bash\n#SBATCH -A project_2009999 -p large -t 60\n#SBATCH -n {} -c {} --mem-per-cpu=3900M\nsrun ./a\n"


@pytest.mark.parametrize(("tasks", "cores"), [(384, 1), (1000, 1), (40, 10), (7, 50)])
def test_tasks_without_nodes_are_all_kept(tasks, cores):
    runs = [key for key, each in CLUSTERS.items() if each.running and each.scheduler.kind == "slurm" and key != "puhti"]
    text = TASKS.format(tasks, cores)
    found = moved(CLUSTERS, [("puhti", "mine.sh", new, text) for new in runs])
    assert [fault for case in found for fault in (*not_kept(case), *told(case))] == []
    assert all(case.has["tasks"] == tasks for case in found if case.script and not case.impossible)
    spread = one("puhti", "rivanna", TASKS.format(384, 1))
    assert (spread.has["nodes"], spread.has["tasks"]) == (4, 384) and refused([spread]) == []
    ge = one("arc4", "kestrel", "#!/bin/bash\n#$ -l h_rt=1:0:0,h_vmem=2G\n#$ -pe ib 400\n./a\n")
    assert (ge.has["nodes"], ge.has["tasks"]) == (4, 400) and refused([ge]) == []


def test_the_gpu_that_jobs_may_hold_longest_then_the_smallest_that_holds_as_much():
    def gpu(old: str, new: str, request: str) -> str | None:
        return one(old, new, f"#!/bin/bash\n#SBATCH -t 60\n#SBATCH {request}\n./a\n").has["key"]

    assert gpu("puhti", "roihu", "--gres=gpu:v100:1") == "gh200"
    assert gpu("cedar", "fir", "--gpus-per-node=p100:1").endswith("2g.20gb")
    assert gpu("cedar", "fir", "--gpus-per-node=v100l:1").endswith("3g.40gb")
    assert gpu("cedar", "fir", "--gpus-per-node=p100:4") == "h100", "a slice takes the place of one GPU only"
    assert gpu("graham", "nibi", "--gpus-per-node=t4:1") != "mi300a", "of the same maker"


def test_a_script_begins_with_a_shell_or_is_empty():
    bare = one("kestrel", "fir", KESTREL.partition("\n")[2])
    assert bare.script.startswith("#!/bin/bash\n#SBATCH") and list(told(bare)) == []
    assert one("kestrel", "fir", " \n").impossible == ["The file is empty."]


def test_a_reason_is_none_that_is_not_so():
    text = "#!/bin/bash\n#SBATCH -A solar7 -t 60\n#SBATCH --gpus=h100:4 --nodes=200\n./a\n"
    (said,) = one("kestrel", "trillium", text).impossible
    assert "on 200 nodes" in said and "no GPU to replace" not in said
    loads = TASKS.format(1, 1) + "module load gcc cuda-of-csc\n"
    anew = one("puhti", "roihu", loads.replace("-p large", "-p gpu --gres=gpu:v100:1"))
    assert any("no module cuda-of-csc" in each for each in anew.impossible)


ALLIANCE = """#!/bin/bash
#SBATCH -A def-x --gpus-per-node=a100:1 -t 30
#SBATCH --output=/scratch/me/log.%j --error=/project/def-x/e.%j
MINE=/opt/x
cp $PROJECT/data.tar $SLURM_TMPDIR/
./mine $SCRATCH/out $CC_CLUSTER $MINE /cvmfs/soft.computecanada.ca/x ~/projects/def-x /usr/bin/env ${TEAM:-a}
"""


def test_variables_and_folders_of_the_old_system_are_changed_or_told():
    case = one("narval", "lumi", ALLIANCE)
    there = "project_462000123"
    assert f"--output=/scratch/{there}/log.%j --error=/project/{there}/e.%j\n" in case.script
    assert f"cp /project/{there}/data.tar /tmp/$SLURM_JOB_ID/\n" in case.script
    assert f"./mine /scratch/{there}/$USER/out $CC_CLUSTER $MINE " in case.script
    left = [said.partition("`")[2].partition("`")[0] for said in case.impossible if said.startswith("`")]
    assert left == ["$CC_CLUSTER", "/cvmfs/soft.computecanada.ca/x", "./mine"]
    assert f"x /project/{there} /usr" in case.script
    assert list(told(case)) == []
    for new in ("fir", "trillium"):  # one operator's systems are alike
        same = one("narval", new, ALLIANCE)
        assert not [said for said in same.impossible if said.startswith("`")] and "$SCRATCH/out" in same.script


def test_one_script_is_moved_at_a_time(tmp_path, monkeypatch, capsys):
    for name in ("a.sh", "b.sh"):
        (tmp_path / name).write_text(KESTREL, encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["guide", "move", "kestrel", "fir", str(tmp_path)])
    with pytest.raises(BadInput, match="contains several scripts. Name one."):
        main()


def test_the_command_checks_its_own_result(tmp_path, monkeypatch, capsys):
    path = tmp_path / "a.sh"
    path.write_text(
        "#!/bin/bash\n#SBATCH --account=def-someprof --time=60 --gpus-per-node=a100:1\nconda activate a\n",
        encoding="utf-8",
    )
    monkeypatch.setattr("sys.argv", ["guide", "move", "narval", "trillium", str(path)])
    assert main() == 1
    assert "\nNew script, line " in (said := capsys.readouterr().err) and "error (fails): `conda activate a`" in said


def test_each_line_has_its_own_reason():
    text = "#!/bin/bash\n#SBATCH -p medium -A project_2009999 -t 60 -N 3 --ntasks-per-node=4\nsrun ./a\n"
    case = one("mahti", "roihu", text)
    reasons = {change["to"]: change["reason"] for change in case.changes}
    assert "uses only 4 of the 384 cores per node. If the work can be divided, run up to 1,152" in case.impossible[0]
    assert reasons["#SBATCH --account=project_2009999"] == "The option is unchanged, in its long form."
    assert reasons["#SBATCH -N 3"] == "The option is unchanged, on its own line."
    case, _ = said_of("puhti roihu -A x --gres=nvme:900", "#SBATCH -p small")
    assert "the local disk that the job requests, and `small` does" in str(case.changes)
    case, _ = said_of("roihu kestrel -A x -p hugemem --ntasks-per-node=7 -c18", "#SBATCH --mem 3090944\nsrun ./a")
    assert directives(case.script)["mem"] == "431G"
    assert "have the same total memory" in case.changes[-1]["reason"], case.changes


def test_lines_that_go_and_come_for_different_reasons_are_no_pair():
    body = "module load miniforge/24.7.1\ncp a $TMP_LOCAL\npython b.py # 190 GB in $TMP_LOCAL"
    case = one("aire", "lumi", SLURM.format("-p gpu --gres=gpu:1", body))
    came = {change["to"]: change["from"] for change in case.changes if "Other jobs" in change["reason"]}
    assert len(came) == 2 and set(came.values()) == {""}


def test_the_software_there_loads_nothing_that_the_script_loads_above_it():
    own = "virtualenv --no-download $SLURM_TMPDIR/e\nsource $SLURM_TMPDIR/e/bin/activate\npython a.py"
    body = f"module load StdEnv/2023 python/3.11\n{own}"
    case = one("nibi", "trillium", SLURM.format("-A def-x --gpus-per-node=h100:1", body))
    assert case.script.count("python/3") == 1 and not any("replaces or hides" in each for each in case.impossible)


SLURM = "#!/bin/bash\n#SBATCH --time=60 {}\n{}\n"
PUHTI = "-A project_2009999 -p small"
USUAL = {"aire": "-c 1"} | dict.fromkeys(("puhti", "mahti", "lumi"), PUHTI)
USUAL |= dict.fromkeys(("kestrel", "swift", "vermilion", "rivanna"), "-A x")


def said_of(job: str, body: str):
    """The job is `OLD NEW`, or `OLD NEW OPTIONS` where the options are others than the usual ones."""
    old, new, *options = job.split(" ", 2)
    if old == "arc4":
        case = one(old, new, f"#!/bin/bash\n#$ {','.join(['-l h_rt=60', *options])} -cwd\n{body}\n")
    else:
        case = one(old, new, SLURM.format(*options or [USUAL.get(old, "-A def-x")], body))
    assert list(told(case)) == []
    return case, " ".join(case.impossible)


def test_a_users_own_environment_is_kept_and_not_doubled():
    own = "module load python/3.11\nsource ~/ENV/bin/activate\npython t.py"
    case, _ = said_of("graham nibi -A def-x --gpus-per-node=v100:1", own)
    assert own in case.script and case.script.count("activate") == 1
    case, said = said_of("narval kestrel -A def-x --gpus-per-node=a100:1", own)
    assert "`~/ENV` is an environment on Narval. Create it again on Kestrel." in said
    assert "pytorch-gpu" not in case.script


def test_a_container_stays_whole_or_goes_whole():
    body = "module load apptainer pytorch/2.9.0\nSIF=$CONTAINERDIR/pytorch-2.9.0.sif\nsrun apptainer {}\n"
    body += "module load jobstats && jobstats 1"
    gpu = "-A x -p gpu --gres=gpu:a100:1"
    case, said = said_of(f"rivanna nibi {gpu}", body.format("exec --nv -B /project,/scratch $SIF \\\n torchrun t.py"))
    assert "SIF=$CONTAINERDIR" in case.script and "\nmodule load apptainer\n" in case.script
    assert "starts Rivanna/Afton's container" in said and "\n# module load jobstats && jobstats 1" in case.script
    case, said = said_of(f"rivanna nibi {gpu}", f"# peft is in ~/.local\n{body.format('exec --nv $SIF torchrun t.py')}")
    assert "\nsrun apptainer exec --nv $SIF torchrun t.py" in case.script and "virtualenv" not in case.script
    assert "`# peft is in ~/.local`: these packages are" in said and "no module pytorch" not in said
    case, _ = said_of("lumi kestrel -A x", "module purge\nsrun singularity exec x.sif a")
    assert case.script.endswith("module purge\nmodule load apptainer\nsrun singularity exec x.sif a\n")
    for load in ("ml apptainer", "module load apptainer"):
        case, said = said_of("vermilion kestrel", f"{load}\napptainer exec x.sif a")
        assert load in case.script and "container program" not in said


JOBS = """module load python/3.12 arrow
virtualenv --no-download $SLURM_TMPDIR/e && source $SLURM_TMPDIR/e/bin/activate
pip install --no-index torch pandas
cat > x.txt << EOF
virtualenv
EOF
python t.py"""


def test_an_environment_of_the_job_becomes_the_software_there():
    case, _ = said_of("fir roihu --gpus-per-node=h100:1", f"ml cuda\n{JOBS}\ndeactivate\n")
    assert "deactivate" not in case.script and "cuda" not in case.script, "a command fails, and a module conflicts"
    case, said = said_of("narval lumi -A def-x --gpus-per-node=a100:1", JOBS)
    assert 'singularity run "$image" python3 t.py' in case.script and "virtualenv --no" not in case.script
    assert "If it lacks pandas, install" in said and "\nEOF\n" in case.script and "module arrow" not in said
    case, said = said_of("narval trillium -A def-x --gpus-per-node=a100:1", JOBS)
    assert "It needs torch, pandas." in said and "module load StdEnv/2023" in case.script


GPU = "-A def-x --gpus-per-node=1"


@pytest.mark.parametrize(
    ("job", "body", "words"),
    [
        ("arc4 aire", "cp /nobackup/me/x .", "All data on ARC4 is lost"),
        ("cedar rorqual", "./a", "Cedar's files are on Fir. Copy"),
        ("puhti lumi -A project_2009999 --gres=nvme:100", "cp a $LOCAL_SCRATCH", "(/tmp is memory)"),
        ("narval lumi", "cp a $SLURM_TMPDIR", "/tmp is memory"),
        ("vermilion kestrel -A x -p gpu --gpus=1 --exclusive", "./a", "full node with 4 GPUs"),
        ("kestrel swift", "cd /scratch/$USER", "On Swift, /scratch/$USER is the local disk of one node, so"),
        ("aire fir -c 8", "conda activate b\nbeast a.xml", "Search for the programs of `b` with module spider"),
        ("cedar fir", "# usage: sbatch -t 9 a.sh\nsbatch a.sh", "`a.sh`, which is its own name"),
        ("rivanna kestrel -p gpu --gres=gpu:1", "ml tensorflow", "(2.21.0) exists only on nodes with RHEL 9"),
        ("cedar fir --gpus=v100l:1", "# torch==1.12\npython -m torch.distributed.launch a", "read LOCAL_RANK"),
        ("vermilion kestrel", "mpirun -npernode 1 ./a", "write `srun` instead of `mpirun -npernode 1`"),
        ("rorqual trillium -A def-x --gpus-per-node=2 -n 3", 'srun ./a --gpu "0:1"', 'Change `--gpu "0:1"`'),
        ("rorqual trillium -A def-x --gpus-per-node=2", "srun ./a", "how your program uses more GPUs. "),
        ("roihu lumi -p gpumedium --gres=gpu:gh200:1", "ml lammps/1", "script loads lammps/22Jul2025-gpu"),
        ("puhti lumi -A x", "ml geoconda", "/appl/local/csc/modulefiles && module spider geoconda"),
        ("lumi roihu -p standard-g -N 2 --gpus-per-node=8", "python a.py --lr 1", "accumulation by 4"),
        ("kestrel lumi", "cp ~/b/c.exe ~/b/w.exe .\nsrun ./w.exe", "`~/b/w.exe` depends on Kestrel's"),
        ("fir trillium", "export A=~/cache\n./a", "can only read `~/cache`"),
        ("fir roihu", "ls /project", "`/project` is a directory on Fir"),
        ("rorqual lumi -A def-x --gpus-per-node=h100:1", "srun ./t --fp8", "`--fp8` is for NVIDIA GPUs"),
        (
            "puhti roihu -A project_2009999 --gres=nvme:50",
            "cp a $LOCAL_SCRATCH",
            "other jobs on the node, but the job requested nvme:50",
        ),
        ("puhti roihu -A project_2009999 --gres=nvme:50", "cp a $LOCAL_SCRATCH", "Only `hugemem` and `"),
        ("narval fir", "sbatch -p x next.sh", "`next.sh` is a script for Narval"),
        ("puhti roihu -A x", "module load biokit\nbwa index a", "It only makes bioinformatics modules visible"),
        ("lumi roihu -A project_462000001", "./a /flash/project_462000001/x", "/flash/<project>"),
        ("fir nibi", "cd $SCRATCH/run", "Nibi does not have Fir's files (`$SCRATCH`). Copy"),
        ("swift kestrel", "cd /scratch/$USER/run", "On Swift, /scratch/$USER is the local disk of one node"),
        ("swift kestrel", "srun ./wrf.exe", "`./wrf.exe` depends on Swift's libraries"),
        ("narval kestrel -A def-x -c 4", "cp a $SLURM_TMPDIR", "In `shared` on Kestrel, $TMPDIR is memory"),
        ("narval kestrel -A def-x -c 4", "cp a $SLURM_TMPDIR", "Nodes with local disk are in `nvme`."),
        ("narval kestrel -A def-x -N 2 -n 208", "cp a $SLURM_TMPDIR", "`--tmp` requests local disk"),
        ("swift kestrel", "./a", "For CPU jobs, use `kestrel.hpc.nlr.gov`"),
        ("graham nibi", "cp a /scratch/$USER/b/", "up to 20 TB, but after 60 days above 1 TB, you can no"),
        ("cedar fir --gpus=v100l:1", "ml StdEnv/2020 gromacs/2022", "GROMACS is loaded with `module load StdEnv/2023"),
        ("vermilion kestrel", "source ~/miniforge3/etc/profile.d/conda.sh\na", "`~/miniforge3` is conda on Vermilion."),
        ("kestrel fir", "cd $SCRATCH/run", "rsync -av OLD_DIRECTORY/ yourname@fir.alliancecan.ca:NEW_DIRECTORY/"),
        (
            "trillium lumi -A def-x -n 9",
            "mpirun ./a\nsbatch --export=N=2 b.sh",
            "Write `--export=ALL,N=2`.",
        ),
        ("kestrel lumi", "./a > /tmp/x", "/tmp is memory"),
        ("puhti roihu -A project_2009999 -p gpu --gres=gpu:v100:1", "module load r-env", "r-env works only on nodes"),
        ("arc4 aire", "module load cuda/11.1.1", "no cuda/11.1.1, but cuda/12.4.1, cuda/12.6.2"),
        (
            "beluga rorqual -A def-x --gpus-per-node=1",
            "ml StdEnv/2020\npip install --no-index b==2.8",
            "only for StdEnv/2020. With StdEnv/2023",
        ),
        ("cedar nibi", "ml nixpkgs/16.09", "nixpkgs/16.09 is no longer supported"),
        ("narval lumi", "pip install --no-index ray", "`--no-index` installs only packages from Narval"),
        ("kestrel fir", "module restore mine", "`module restore mine` loads your modules of Kestrel"),
        ("aire fir", "spack load x", "`spack load x` needs Aire's Spack"),
        ("mahti fir -A project_2009999", "csc-workspaces", "`csc-workspaces` is a command of Mahti"),
        ("arc4 kestrel", "export LM_LICENSE_FILE=1@a.b", "is a license server"),
        ("narval fir -A rrg-x", "./a", "Check that the account `rrg-x` can be used on Fir"),
        (
            "puhti roihu -A project_2009999",
            "export SINGULARITYENV_R_LIBS_USER=/a/rpackages_442",
            "R. Install them again for R on Roihu, in a",
        ),
        (
            "puhti roihu -A x",
            '# .libPaths("/a/rpackages_432")\na',
            "`/a/rpackages_432` contains packages for Puhti's R",
        ),
        (
            "puhti roihu -A x -p small -c 20 --mem=80G --gres=nvme:700",
            "cd $LOCAL_SCRATCH",
            "Then `$LOCAL_SCRATCH` is not set, so write",
        ),
        (
            "trillium lumi -A def-x -N 8 --ntasks-per-node=192",
            "srun ./a",
            "Each process had 3.9 GiB of memory on Trill",
        ),
        ("arc4 aire", "export A=$HOME/OpenFOAM/$USER-9/lib", "`$HOME/OpenFOAM/$USER-9/lib` contains libraries for"),
        ("narval kestrel", "export JULIA_DEPOT_PATH=~/d\nmpirun ./a", "with MPIPreferences for its MPI"),
        ("narval rivanna", "export JULIA_DEPOT_PATH=~/d", "Narval's Julia. Install them again on Rivanna/Afton."),
        ("puhti roihu -A x", "srun apptainer_wrapper exec bwa a", "does not have it, write `srun bwa a`."),
        ("puhti roihu -A x", "srun apptainer_wrapper exec a \\\n  1", "remove `apptainer_wrapper exec` from the line."),
        ("lumi aire -A x", "apptainer exec -B /opt/cray,/var/spool/slurmd x", "binds `/opt/cray`, `/var/spool/slurmd`"),
        (f"graham nibi {GPU}", "ml StdEnv/2020\n. ~/e/bin/activate", "`~/e` was built with StdEnv/2020. Create it"),
        (f"graham nibi {GPU}", ". ~/e/bin/activate # torch 1.13", "PyTorch 2.5.1 or newer, but the script names 1.13."),
        (f"graham nibi {GPU}", ". ~/e/bin/activate", "If `~/e` has PyTorch, NVIDIA H100 SXM5 on Nibi needs version 2."),
        (f"narval fir {GPU}", "pip install -r ~/r.txt", "If `~/r.txt` has PyTorch, NVIDIA H100 SXM5 on Fir needs"),
        ("kestrel fir", "# conda create -n gnn", "`gnn` is an environment on Kestrel"),
        ("nibi aire -A x -c 64 --mem=5000G", "java -Xmx4900g -jar a", "Change `-Xmx4900g`"),
        ("aire lumi", "module load miniforge\nconda activate e", "Do not use conda on LUMI. Use a container, or"),
        ("aire lumi -p gpu --gres=gpu:1", "conda activate e\ntorchrun a.py", "a container that has PyTorch"),
        ("puhti roihu --gres=nvme:80", "# writes ~50 GB of files on the fast disk\na $LOCAL_SCRATCH", "becomes a dir"),
        ("puhti roihu --gres=nvme:80 -a 1-9", "# 50 GB of files on fast disk\na $LOCAL_SCRATCH", "let fewer tasks run"),
        ("puhti roihu -p gpu --gres=gpu:v100:1,nvme:300", "cp a $LOCAL_SCRATCH", "files need more, put them into"),
        ("lumi roihu -p standard-g -N 2 --gpus-per-node=8", "a --fsdp", "gradient accumulation by 4"),
        ("rivanna trillium -p gpu --gres=gpu:a100:2", "nnUNetv2_train 1 2d 0", "this one gets 1 instead of 2"),
        ("rivanna trillium -p gpu --gres=gpu:a100:1 -t 3-0 -a 0-4", "nnUNetv2_train 1 2d 0 --c", "the array 3 times"),
        ("mahti lumi -A project_2009999", "seff $SLURM_JOB_ID", "LUMI's pages do not mention seff"),
        ("swift kestrel", "cd /projects/x", "yourname@kestrel.hpc.nlr.gov"),
        ("swift kestrel", "cd /scratch/$USER/x", "at the same time need different directories. Copy files"),
        ("beluga rorqual -A def-x --gres=gpu:v100:1", "export MUJOCO_GL=egl\n./a", "do not support graphics"),
        ("beluga rorqual", "./a", "https://ccdb.alliancecan.ca, under Resources > Access Systems."),
        ("fir trillium -A def-x -N 1", "cp a /project/def-x/b", "want to keep to `$PROJECT/"),
        ("rivanna kestrel", "ml gurobi", "gurobi requires a license, and that of Rivanna/Afton may not"),
        ("vermilion kestrel -A x -p lg -N 1 --exclusive", "./a", "If it needs less, lower --mem"),
        ("arc4 kestrel", "#$ -l disk=4G\n./a", "`-l disk=4G`: we know of no local disk for this job"),
        ("fir trillium", JOBS.replace("pandas", "-q\npip install -e ~/m"), "It needs torch, ~/m."),
        ("mahti lumi -p gpusmall --gres=gpu:a100:1", "python a.py", "192 TFLOP/s, and one old GPU had 312"),
        (
            "kestrel lumi -A x -p gpu-h100 --gpus=h100:4",
            "srun lmp",
            "memory of 4 new GPUs has a peak of 6.6 TB/s in total, and that of 4 old ones had 13.",
        ),
        ("mahti lumi -A x", "export XLA_FLAGS=--xla_a=1\n./a", "`XLA_FLAGS`: JAX and TensorFlow end"),
        ("puhti roihu -A x", "run_alphafold --data_dir=/scratch/x/af", "AlphaFold needs databases"),
        ("puhti roihu -A x", "cat > c <<E\n--gres=gpu:v100:1\nE", "GPU nodes of Roihu have aarch64 processors"),
        ("puhti roihu -A x", "snakemake --cores 2 --use-envmodules", "the Snakefile names modules of Puhti"),
        ("nibi trillium", "snakemake --cores 2 --use-singularity", "Trillium have no internet"),
        ("vermilion kestrel", "source ~/myenv\n./a", "The script runs `~/myenv`, which we did not read"),
        ("beluga rorqual", "cat /lustre03/project/1/a", "`/lustre03/project/1/a` is a path on Béluga"),
        ("cedar fir --gpus=p100:1", "ml gcc/9.3.0\npip install --no-index -r a.txt", "Wheels of `a.txt` may exist"),
        ("narval lumi -N 2 --gpus-per-node=a100:4", "srun python a.py", "export NCCL_SOCKET_IFNAME=hsn"),
        ("mahti lumi -p gpusmall --gres=gpu:a100:1", "vllm serve m -q awq_marlin", "`awq_marlin` is for NVIDIA"),
        ("narval lumi", "ml gromacs\nsrun gmx mdrun -ntmpi 4", "error at `-ntmpi 4`. Remove this option, request as"),
        ("narval lumi -N 2", "srun cp ~/a $SLURM_TMPDIR  # 210 GB", "because all nodes share the directory"),
        ("puhti lumi -N 2 --gres=nvme:9", "srun bash -c \\\n 'cp ~/a $LOCAL_SCRATCH'", "all nodes share the dir"),
        ("puhti lumi -A x", "redis & \nuntil [ -S a ]; do\n  sleep 1\ndone", "if `redis` does not start on LUMI"),
        ("kestrel lumi", "htar -cf a.tar a", "with tar to `/project/project_462000123`, where files are"),
        ("graham nibi", "scp a gra-dtn1:b", "If it is a computer of Graham, which is retired, remove"),
        ("arc4 aire", "mpirun ./a", "load the MPI with which you build the program: `module load openmpi`"),
        ("kestrel fir -A x -N 1 -n 8", "srun gmx_mpi mdrun -pin on", "have others. Write `-pin auto`."),
        ("vermilion aire", "cp -r /scratch/$USER/a /projects/x/", "copies files to where they are. Remove"),
        ("lumi aire -A project_465000001", "a slurm_account=project_465000001", "Aire documents no accounts."),
        ("narval lumi --gpus-per-node=a100:4 --ntasks=5 -c 8", "srun relion_refine_mpi --j 8", "Change `--j 8`"),
    ],
)
def test_what_breaks_is_said(job, body, words):
    assert words in said_of(job, body)[1]


@pytest.mark.parametrize(
    ("job", "line", "wanted"),
    [
        ("puhti roihu -A project_2009999", "module load r-env/421", "module load r-env"),
        ("puhti roihu -A x", "srun apptainer_wrapper exec Rscript a.R", "srun Rscript a.R"),
        ("mahti roihu -A x", 'sbatch --wrap "module load r-env/4; a"', 'sbatch --wrap "module load r-env; a"'),
        ("mahti roihu -A x", "cd a && module load r-env/4", "cd a && module load r-env"),
        ("lumi roihu -A x", "apptainer exec -B /project,/flash x.sif", "apptainer exec -B /projappl,/scratch x.sif"),
        ("lumi aire -A x", "apptainer exec --bind=/opt/cray x.sif", "apptainer exec x.sif"),
        ("lumi fir -A x", "apptainer run --bind /etc/hosts:/h x", "apptainer run --bind /etc/hosts:/h x"),
        ("narval nibi", "# ssh -L 8:n:8 a@narval.alliancecan.ca", "# ssh -L 8:n:8 a@nibi.alliancecan.ca"),
        ("puhti lumi -A x", "echo ssh a@puhti-login11.csc.fi", "echo ssh a@lumi.csc.fi"),
        ("aire fir", "# rsync a@aire.leeds.ac.uk:x .", "# rsync a@fir.alliancecan.ca:x ."),
        ("puhti lumi -A x", "# from Puhti: ssh puhti.csc.fi", "# from Puhti: ssh puhti.csc.fi"),
        (f"fir lumi {GPU}", "a --bf16 --tf32 True b", "a --bf16 b"),
        (f"fir lumi {GPU}", "ml gromacs\ngmx mdrun -ntmpi 1 -ntomp 7 -v", "gmx_mpi mdrun -ntomp 7 -v"),
        (f"fir lumi {GPU}", "ml gromacs\ngmx mdrun -nt 7", "gmx_mpi mdrun -ntomp 7"),
        (f"fir kestrel {GPU}", 'ml lammps\nO="-sf kk -k on g 1"', 'O="-sf gpu -pk gpu 1"'),
        (
            "trillium lumi -A def-x -n 9",
            "mpirun --map-by numa:PE=$N --bind-to core --report-bindings ./a",
            "srun --cpus-per-task=$N ./a",
        ),
        ("lumi fir -A x", "export SINGULARITY_BIND=/scratch,/opt/cray", "export SINGULARITY_BIND=/scratch"),
        ("puhti lumi -A x", "# built on puhti.csc.fi", "# built on puhti.csc.fi"),
        ("mahti roihu -A project_2009999 -p gpusmall --gres=gpu:a100:1", "ml tykky", "ml tykky"),
        ("aire roihu", "conda activate ~/e/b", 'export PATH="/projappl/project_2001234/b/bin:$PATH"'),
        ("rivanna trillium", "source activate b # Python", "source $HOME/b/bin/activate # Python"),
        ("rivanna trillium", "source v/bin/activate", "source v/bin/activate"),
        (
            f"fir roihu {GPU}",
            "apptainer run /project/x/a.sif",
            'apptainer run --bind="$(csc-common-bind)" /projappl/project_2001234/a.sif',
        ),
        (f"fir roihu {GPU}", "apptainer run -B /scratch a.sif", "apptainer run -B /scratch a.sif"),
        (
            "kestrel lumi -p gpu-h100 --gpus=1",
            "module load PrgEnv-gnu cuda craype-x86-genoa",
            "module load PrgEnv-gnu craype-accel-amd-gfx90a rocm",
        ),
        ("lumi aire -p small-g --gpus-per-node=1", "module load rocm", "module load cuda/12.6.2"),
        ("kestrel lumi -p gpu-h100 --gpus=1", "export MPICH_OFI_NIC_POLICY=GPU", "export MPICH_OFI_NIC_POLICY=GPU"),
        ("lumi aire -p small-g --gpus-per-node=1", "PYTORCH_HIP_ALLOC_CONF=a ./a", "PYTORCH_CUDA_ALLOC_CONF=a ./a"),
        ("fir rivanna -A x", "ml b apptainer", "ml apptainer  # module load b"),
        ("rivanna nibi", "ml R/4.3.1", "module load r/4.5"),
        ("aire fir -c 8", "conda activate b", "# conda activate b"),
        ("puhti lumi -A x", "  scratch = '$LOCAL_SCRATCH'", "  scratch = false"),
        ("puhti fir -A x", "  scratch = '$LOCAL_SCRATCH'", "  scratch = '$SLURM_TMPDIR'"),
        ("mahti roihu -A project_2009999", "module load gcc/11 gromacs/2023", "module load gromacs-env"),
        ("mahti lumi", "ml cp2k", "module use /appl/local/csc/modulefiles && module load cp2k/2026.1"),
        ("puhti lumi -A project_2009999", "module load gcc/11.3.0", "module load PrgEnv-gnu"),
        ("mahti lumi -A project_2009999", "module load netcdf-c", "module load cray-hdf5 cray-netcdf"),
        ("rivanna aire", "module load apptainer", "module load apptainer"),
        ("rivanna nibi", "module load nextflow", "module load nextflow"),
        ("rivanna aire", "module load gromacs/2 gcc || exit", "module load gcc/14.2.0; module load gromacs || exit"),
        ("mahti roihu -A project_2009999", "module load elmer/latest", "module load elmerfem"),
        ("mahti roihu -A project_2009999", "module load gcc/11 openfoam/10", "module load gcc openfoam-org"),
        ("vermilion swift", "module load anaconda3", "module load mamba"),
        ("arc4 aire", "module add R/4.0.2", 'export PATH="$HOME/.conda/envs/r/bin:$PATH"'),
        ("rivanna aire", "apptainer run -B /scratch:/a,/project b", "apptainer run -B $SCRATCH:/a,$SCRATCH b"),
        ("narval fir", "module load gcc/12", "module load gcc/12"),
        ("arc4 aire", "module switch intel gnu/8.3.0", "module load gcc/13.2.0"),
        ("cedar fir", "module load python/3.9.6", "module load python/3.10"),
        ("cedar fir", "module load StdEnv/2020 python/3.9", "module load StdEnv/2020 python/3.9"),
        ("cedar fir", "module load python/3.11.5", "module load python/3.11.5"),
        ("cedar trillium", "K=~/projects/def-x/a; cp b $K/", "K=$SCRATCH/def-x/a; cp b $K/"),
        ("swift kestrel", "module load anaconda3", "module load anaconda3"),
        ("vermilion kestrel", "cp -r a /tmp/scratch", "cp -r a $TMPDIR"),
        ("cedar trillium", "python t.py --out ~/ckpt", "python t.py --out $SCRATCH/ckpt"),
        ("cedar trillium", "cd ~/projects/def-x/a; ./b > log", "cd $SCRATCH/def-x/a; ./b > log"),
        ("cedar trillium", "cp ~/scratch/a b", "cp $SCRATCH/a b"),
        ("nibi rorqual", "cp ~/projects/def-x/a b", "cp $HOME/links/projects/def-x/a b"),
        ("fir nibi", "cp ~/projects/def-x/a b", "cp ~/projects/def-x/a b"),
        ("lumi roihu -A x -p small-g --gpus-per-node=1", "rocm-smi", "nvidia-smi"),
        ("lumi roihu -A x -p small-g --gpus-per-node=1", "apptainer run --rocm x", "apptainer run --nv x"),
        ("roihu swift -A x -p gpumedium --gres=gpu:gh200:1", "nvcc -arch=sm_90 a.cu", "nvcc -arch=sm_80 a.cu"),
        ("puhti lumi -A x", "mkdir -p $APPTAINER_CACHEDIR", "mkdir -p $SINGULARITY_CACHEDIR"),
        ("lumi roihu -A project_462000001", "./b /scratch/project_462000001/y", "./b /scratch/project_2001234/y"),
        ("arc4 aire", "cd /nobackup/$USER/x", "cd $SCRATCH/x"),
        ("arc4 aire", "a \"try; \\\n f('$TMPDIR/b');\"", " f('$TMP_LOCAL/b');\""),
        ("arc4 aire", "a '/nobackup/me/b' \"c\"", 'a "$SCRATCH/b" "c"'),
        ("cedar fir", "cd /scratch/$USER/x", "cd /scratch/$USER/x"),
        ("vermilion swift", "cd /scratch/$USER/y", "cd /projects/x/y"),
        ("trillium fir", "cd $SCRATCH/x $HOME/y", "cd $SCRATCH/x $HOME/y"),
        ("fir roihu -A x", 'SCRATCH=/x; cd "${SLURM_TMPDIR:?}" $SCRATCH', 'SCRATCH=/x; cd "$TMPDIR" $SCRATCH'),
        ("puhti roihu -A project_2009999", "rclone copy allas:b/c d", "rclone copy s3allas:b/c d"),
        ("puhti lumi -A x", "./a $TMPDIR/b", "./a /tmp/$SLURM_JOB_ID/b"),
        ("cedar fir", "module load singularity/3.8", "module load apptainer"),
        ("cedar fir", "module load gcc/9.3.0", "module load StdEnv/2020 gcc/9.3.0"),
        ("narval fir", "a -B /lustre07/scratch/$USER:/d", "a -B /scratch/$USER:/d"),
        ("kestrel fir", "./a\nexport MPICH_GPU_SUPPORT_ENABLED=1", "./a"),
        ("vermilion kestrel", "ml singularity-container", "ml apptainer"),
        ("lumi rivanna -p small-g --gpus-per-node=1", "MIOPEN_D=~/a\nrm -rf $MIOPEN_D/*", "rm -rf $MIOPEN_D/*"),
        ("lumi rorqual -A x -p small-g --gpus-per-node=1", "./a\n\n", ""),
        ("kestrel aire -A x", "[ -e a ] || sbatch --account=x b.sh", "[ -e a ] || sbatch b.sh"),
        ("puhti roihu -A project_2009999", "sed -i '/TMPDIR/d' ~/.Renviron", "sed -i '/TMPDIR/d' ~/.Renviron"),
        ("narval roihu", "export UCX_TLS=rc; ./b", ":; ./b"),
        ("narval swift", "./a # virtualenv e", "./a # virtualenv e"),
        ("fir kestrel", 'export APPTAINER_BIND="$A:/a,/cvmfs"', 'export APPTAINER_BIND="$A:/a"'),
        (f"fir kestrel {GPU}", "ml lammps\n(lmp -sf kk -k on g 1)", "(lmp -sf gpu -pk gpu 1)"),
        ("narval roihu", "bash -c 'export UCX_TLS=rc && ./b'", "bash -c ': && ./b'"),
        ("narval roihu", 'O="-n 2 --mca pml ucx"', 'O="-n 2"'),
        ("narval roihu", 'O="-n 2 --cpu-bind=map_cpu:0,8"', 'O="-n 2"'),
        ("narval roihu", "mpirun -x UCX_TLS=rc -x A ./b", "mpirun -x A ./b"),
        ("narval roihu", "srun --export=ALL,UCX_TLS=rc,A=1 ./b", "srun --export=ALL,A=1 ./b"),
        ("narval roihu", "export UCX_NET_DEVICES=$(a | b)  # c", "# export UCX_NET_DEVICES=$(a | b)  # c"),
        ("narval roihu", "module load gcc/9; module load openmpi/4; ./a", "module load gcc; module load openmpi; ./a"),
        ("narval lumi", "a -c 'b(\"/scratch/x\")'", "a -c 'b(\"/scratch/project_462000123/'\"$USER\"'\")'"),
        ("narval lumi", "cd ~/scratch/a", "cd /scratch/project_462000123/$USER/a"),
        (f"fir lumi {GPU} -N 2", "srun -N 2 ./a & srun --gres=gpu:h100:1 ./b", "srun -N 2 ./a & srun --gres=gpu:1 ./b"),
        ("lumi rivanna -A x", "cd /tmp/$SLURM_JOB_ID", "cd /scratch/$USER/tmp-$SLURM_JOB_ID"),
        (
            "narval rivanna",
            "cp $SLURM_TMPDIR/a $SCRATCH/$SLURM_JOB_ID",
            "cp /scratch/$USER/tmp-$SLURM_JOB_ID/a /scratch/$USER/$SLURM_JOB_ID",
        ),
    ],
)
def test_a_line_becomes_what_runs_there(job, line, wanted):
    case, said = said_of(job, line)
    assert case.script.splitlines()[-1] == wanted
    assert "/TMPDIR/d" not in said and "no module tykky" not in said


def test_modules_that_nothing_there_stands_for_go_without_a_search():
    body = "module load {}\n./a"
    for old, new, options, name in (
        ("lumi", "roihu", "-A project_462000001", "Local-LAIF"),
        ("swift", "kestrel", "-A x", "slurm/21-08"),
        ("kestrel", "nibi", "-A x", "user"),
    ):
        case, said = said_of(f"{old} {new} {options}", body.format(name))
        assert "module" not in said + case.script


def test_data_are_not_copied_within_one_file_system_and_fit_on_the_disk():
    copy = "srun -n 2 rsync -a /scratch/project_2009999/a/ $LOCAL_SCRATCH/a/\ntar -xf b.tar -C $LOCAL_SCRATCH"
    case, said = said_of("puhti lumi -A project_2009999 -N 2 --gres=nvme:9", f"{copy}\ncp $LOCAL_SCRATCH/o .")
    assert said.count("within one file system") == said.count("several tasks do so") == 1
    assert "read `/scratch/project_462000123/a/` instead" in said and "Unpack them once before the job" in said
    assert not any("node's own disk has" in each["reason"] for each in case.changes)
    body = "# {} of images\nfind a -exec tar -xf {{}} -C $SLURM_TMPDIR \\;"
    for size, wanted in (("700 GB", "800G"), ("200 GB", None), ("9 TB", None)):
        case, _ = said_of("nibi rorqual", body.format(size))
        assert directives(case.script).get("tmp") == wanted


def test_a_partition_of_gpus_brings_them_along():
    case, said = said_of("vermilion kestrel -A x -p gpu -N 2 --exclusive", "./a")
    assert case.has["gpus"] == 2 and "requests 2 GPUs, because" in said
    assert said_of("swift kestrel -A x -p gpu --exclusive", "./a")[0].has["gpus"] == 4
    for options in ("-p gpu --gres=gpu:0", "-p std"):
        assert said_of(f"vermilion kestrel -A x {options}", "./a")[0].has["gpus"] == 0


def test_the_nodes_of_the_old_system_are_taken_out():
    body = (
        "export NCCL_SOCKET_IFNAME=hsn0 A=1\nB=mask_cpu:fe\nexport ROCR_VISIBLE_DEVICES=0\nsrun -c 56 --cpu-bind=$B ./a"
    )
    case, said = said_of("lumi rorqual -A project_462000001 -p small-g --gpus-per-node=1 -c 56", body)
    assert "export A=1\n" in case.script and "srun -c 56 ./a" in case.script and "CUDA_VISIBLE_DEVICES=0" in case.script
    assert "NCCL_SOCKET_IFNAME=hsn0" in said and "--cpu-bind=$B" in said


OF_EIGHT = "rivanna kestrel -A x -p gpu --gres=gpu:a100:8"
EIGHT = "--standalone --nproc-per-node=8 x.py"
TWO_OF_FOUR = {"nodes": "2", "gpus-per-node": "h100:4", "gres": ""}
LONG = "fir trillium -A def-x --time=2-06:00:00 --gpus-per-node=h100:1"
SHORTER = {"partition": "gpularge", "array": "1-2%1", "time": "1-12:00:00"}
IN = "cp a $LOCAL_SCRATCH"
OMP = "export OMP_NUM_THREADS=32\nsrun torchrun --standalone --nproc-per-node=4 x.py"
MAIL = {"b": "BEGIN", "e": "END", "a": "FAIL", "s": "REQUEUE", "n": "NONE", "bae": "BEGIN,FAIL,END"}
DISKS = "puhti roihu -A project_2009999"
DISK = "-A def-x --nodes=4 --ntasks-per-node=40 --mem=0 --tmp=900G"
FULL = "-A x -N 4 --ntasks-per-node={} --mem=0"


@pytest.mark.parametrize(
    ("job", "body", "wanted", "words"),
    [
        # Whole small nodes become as few large ones, with all the memory where they are filled.
        (f"cedar fir {FULL.format(48)}", "srun ./a", {"nodes": "1", "ntasks-per-node": "192", "mem": "0"}, ""),
        (f"narval fir {FULL.format(64)}", "srun ./a", {"nodes": "2", "ntasks-per-node": "128", "mem": "500G"}, ""),
        (f"narval kestrel {FULL.format(64)}", "srun ./a", {"partition": "short", "mem": "0"}, "up to 416"),
        # What the commands compute from the nodes is not known, so these stay.
        (f"cedar fir {FULL.format(48)}", "mpirun -ppn 48 ./a", {"nodes": "4"}, "but the script has `-ppn 48`"),
        (f"cedar fir {FULL.format(48)}", "echo $SLURM_NNODES; srun ./a", {"nodes": "1"}, ""),
        # A part of a larger node has the memory of the old node; several whole nodes are whole there, too.
        ("narval fir -A x -c 64 --mem=0", "./a", {"mem": "250G", "cpus-per-task": "64"}, ""),
        ("narval fir -A x -c 64 --exclusive", "./a", {"mem": "250G", "exclusive": ""}, "--exclusive is removed"),
        ("swift kestrel -A x -N 8 -n 512 --exclusive", "srun ./a", {"mem": "240G"}, "832 processes. If 240G"),
        (f"graham nibi {FULL.format(32)}", "srun ./a", {"nodes": "1", "mem": "748G"}, ""),
        ("graham nibi -A x --gpus-per-node=t4:2 --mem=0", "./a", {"mem": "500G"}, ""),
        ("graham nibi -A x --gpus-per-node=t4:8 --mem=0", "./a", {"mem": "0"}, ""),
        # Nodes with more memory than most: where there are most of them.
        ("rivanna kestrel -A x -p standard -c 40 --mem=351G", "./a", {"partition": "medmem"}, ""),
        ("puhti roihu -A x -p small -c 8 --mem=1000G", "./a", {"partition": "small"}, ""),
        ("graham trillium -A x -n 64 --mem-per-cpu=3G", "srun ./a", {"mem": ""}, "run 3 such jobs"),
        ("fir narval -A x -c 64 --mem=0", "./a", {"mem": "750G"}, ""),
        ("fir narval -A x --gpus-per-node=h100:1 --mem=280G", "./a", {"mem": "280G"}, "keeps it, but one"),
        ("fir narval -A x -N 2 --gpus-per-node=h100:1 --mem=240G", "./a", {"mem": "240G"}, "had 480G of memory"),
        ("vermilion kestrel -A x -p gpu -N 1", "./a --cache 90", {"mem": "106G"}, "had 106G of memory and keeps it"),
        # As much memory as the script gives its programs, or as a node that the job filled.
        ("vermilion kestrel -A x -p lg -c 60", "srun ./a", {"mem": "213G"}, ""),
        ("vermilion kestrel -A x -p lg -c 20", "snakemake --resources mem_mb=220000", {"mem": "225G"}, ""),
        ("vermilion kestrel -A x -p lg -c 20", "java -Xmx100g a", {"mem": "105G"}, ""),
        ("vermilion kestrel -A x -p lg -c 20", "M=150\nspades.py -m $M", {"mem": "157G"}, ""),
        ("vermilion kestrel -A x -p lg -c 20", "a --default-resources mem_mb=90000", {"mem": "46G"}, ""),
        # A job that names no cores has those of a node, where it had them.
        ("vermilion kestrel -A x -p sm -N 1", "a=$(nproc)", {"cpus-per-task": "16", "mem": "56G"}, ""),
        ("vermilion kestrel -A x -p sm -N 1", "./a", {"cpus-per-task": ""}, "request as much: 16 cores and 56G"),
        ("kestrel fir -A x -p standard -N 1", "./a", {"cpus-per-task": "104", "mem": "240G"}, ""),
        ("lumi roihu -A x -p standard -N 1", "./a", {"cpus-per-task": "128"}, ""),
        # A step on each node fits any number of nodes; a disk that few nodes have is named.
        (f"beluga rorqual {DISK}", "srun -n $SLURM_NNODES ./b\nsrun ./a", {"nodes": "1", "mem": "0"}, "the few with"),
        (f"beluga rorqual {DISK}", "srun ./a", {"nodes": "1"}, "disk on each of 4 nodes, and now has it on one node"),
        (f"beluga rorqual {DISK}", "srun ./a $SLURM_NNODES", {"nodes": "4"}, "whose size we do not know"),
        # More processes than a node has cores: with their memory on each, or fewer where a container starts them.
        ("aire narval -N 1 -n 84 --mem-per-cpu=2G", "mpirun ./a", {"nodes": "2", "mem": "84G"}, ""),
        ("aire narval -N 1 -n 84", "apptainer exec a \\\n mpirun ./a", {"ntasks-per-node": "64"}, "its own node"),
        ("puhti lumi -A x -p large -n 80 --mem-per-cpu=3800", "srun ./a", {"ntasks-per-node": "40"}, ""),
        # A whole node whose cores are not known: those that the script uses, or it is said.
        ("cedar nibi -A def-x -N 1 --exclusive", "kraken2 --threads 48 a", {"cpus-per-task": "48"}, "uses 48"),
        ("beluga nibi -A def-x -N 1 --exclusive", "./a", {}, "how many a node of Béluga had, so request"),
        ("narval fir -A def-x -N 1 --exclusive", "./a", {"cpus-per-task": "64"}, ""),
        # Where it runs at all: with an allocation, in the right partition, on fewer nodes.
        ("mahti trillium -A x -p large -N 40 -n 5120", "srun ./a", {"nodes": "27"}, "an allocation"),
        ("narval rivanna -A x -N 2 --ntasks-per-node=64", "srun ./a", {"ntasks-per-node": "64"}, ""),
        ("swift roihu -A x -p gpu -N 3 -n 3 --gres=gpu:1", "srun ./a", {"nodes": "1"}, "so they are on one node"),
        ("mahti lumi -A x -p interactive -c 8 --time=7-0", "./a", {"partition": "small"}, ""),
        ("mahti roihu -A x -p medium -N 2 --ntasks-per-node=128", "srun ./a", {"partition": "small"}, ""),
        # Tasks with memory of their own are on any nodes, where Slurm chooses the partition.
        ("beluga rorqual -A x -n 200 --mem-per-cpu=4G", "srun ./a", {"nodes": "", "mem-per-cpu": "4G"}, ""),
        (f"graham rorqual {FULL.format(44)}", "srun ./a $((SLURM_NNODES*44))", {"nodes": "4"}, "`SLURM_NNODES`"),
        ("puhti roihu -A x -p large -n 20 --ntasks-per-socket=10", "srun ./a", {"ntasks-per-socket": ""}, ""),
        ("lumi fir -A x -p standard -n 256 --hint=multithread", "srun ./a", {"hint": ""}, ""),
        # A part of a node is not moved to full nodes, and a partition keeps its name, or goes by size and time.
        ("swift kestrel -A x -p standard -N 1 -n 32 --mem=60G", "./a", {"partition": "shared"}, ""),
        ("swift kestrel -A x -p standard -N 1 -n 104 --mem=60G", "./a", {"partition": "standard"}, ""),
        ("puhti roihu -A x -p gputest --gres=gpu:v100:1 -t 15", "./a", {"partition": "gputest"}, ""),
        ("puhti roihu -A x -p gpu --gres=gpu:v100:1 -t 15", "./a", {"partition": "gpumedium"}, ""),
        ("puhti roihu -A x -p large -n 1", "./a", {"partition": "small"}, ""),  # Roihu's `large` begins above it
        ("puhti roihu -A x -p longrun -n 1 -t 14-0", "./a", {"partition": "longrun"}, ""),
        ("puhti roihu -A x -p interactive -n 1 -t 7-0", "./a", {"partition": "longrun"}, ""),
        # Ranks of full nodes are kept.
        ("lumi kestrel -A x -p standard -N 8 --ntasks-per-node=128", "srun ./a", {"nodes": "10", "ntasks": "1024"}, ""),
        ("mahti roihu -A x -p medium -N 10 --ntasks-per-node=128", "srun ./a", {"nodes": "4"}, ""),
        ("fir narval -A x -N 2 --ntasks-per-node=192", "srun ./a", {"nodes": "6", "partition": ""}, ""),
        ("kestrel roihu -A x -p gpu-h100 --gpus=1 --ntasks-per-node=128", "a", {"ntasks-per-node": "72"}, "72 cores"),
        # Time is cut into a chain, but not for a partition of tests, and little memory is not rounded to less.
        (LONG, "./a --resume", {"array": "1-3%1", "time": "1-00:00:00"}, ""),
        (f"{LONG} -a 1-4", "./a --resume", {"array": "1-4"}, "the array 3 times"),
        ("puhti roihu -A x -p gpu -N 2 --gres=gpu:v100:4 -t 3-0", "./a --resume", SHORTER, ""),
        ("puhti roihu -A x -p small -n 1 -c 8 --mem-per-cpu=6000", "./a", {"mem-per-cpu": "6000", "mem": ""}, ""),
        ("puhti fir -A x -p small -n 1 -c 8 --mem=48000", "./a", {"mem": "48000"}, ""),
        # Local disk lands where it fits.
        (f"{DISKS} -p hugemem -t 3-0 --gres=nvme:1490", IN, {"partition": "hugemem_longrun", "gres": "nvme:1490"}, IN),
        (
            f"{DISKS} -p small -c 40 --mem=180G -t 2-0 --gres=nvme:900",
            IN,
            {"gres": "nvme:900"},
            "498 CPU billing units",
        ),
        (f"{DISKS} -p gpu --gres=gpu:v100:1,nvme:900", IN, {"gres": "gpu:gh200:1"}, "has 150G of local disk, but the"),
        ("puhti kestrel -A x --gres=nvme:900", IN, {"tmp": "900G"}, "cp a $TMPDIR\n"),
        # An array that is too large keeps its first tasks.
        ("kestrel narval -A x -a 7-1006%9", "./a", {"array": "7-1006%9"}, ""),
        ("kestrel narval -A x -a 7-1007%9", "./a", {"array": "7-1006%9"}, "Submit the others"),
        ("kestrel narval -A x -a 7-5007:5%9", "./a", {"array": "7-5002:5%9"}, "Submit the others"),
        # A job that names no cores has all of its nodes, or what mpirun starts.
        ("trillium nibi -N 1", "parallel -j 192 ./a", {"cpus-per-task": "192", "mem": "748G"}, ""),
        (
            "trillium fir -N 2",
            "OMP_NUM_THREADS=4 mpirun -np 96 ./a",
            {"ntasks-per-node": "48", "cpus-per-task": "4"},
            "",
        ),
        (
            "trillium lumi -N 2 --gpus-per-node=4",
            "mpirun -np 8 ./a",
            {"ntasks-per-node": "4", "cpus-per-task": "7"},
            "",
        ),
        # Each process of a node has its part of the new cores.
        ("kestrel narval -A x -N 1 -n 1 -c 128 --mem=340G --gpus=h100:4", OMP, {"cpus-per-task": "48"}, "THREADS=12"),
        ("puhti aire -A x -o /scratch/project_2009999/%j", "./a", {"output": "%j"}, "directives do not expand"),
        # What Grid Engine's options mean: nodes and slots, which are processes or cores, and all others.
        ("arc4 aire nodes=2", "./a", {"nodes": "2", "ntasks": "80", "cpus-per-task": "1"}, ""),
        ("arc4 aire nodes=2,ppn=4,tpp=10", "./a", {"nodes": "2", "ntasks": "8", "cpus-per-task": "10"}, ""),
        ("arc4 aire np=100", "./a", {"nodes": "1", "ntasks": "100", "cpus-per-task": "1"}, ""),
        ("arc4 aire np=10,ppn=4", "./a", {"nodes": "3", "ntasks": "10", "cpus-per-task": "1"}, ""),
        ("arc4 aire nodes=2,h_vmem=4.5G", "./a", {"nodes": "2", "ntasks": "80", "mem": "180G"}, ""),
        ("arc4 aire h_vmem=4.8G", "#$ -pe ib 160\nx -t$NSLOTS", {"nodes": "2", "mem": "384G"}, "x -t$SLURM_NTASKS"),
        ("arc4 aire", "#$ -pe smp 32\na $NSLOTS", {"ntasks": "1", "cpus-per-task": "32"}, "a $SLURM_CPUS_PER_TASK"),
        ("arc4 aire coproc_v100=1,h_rt=96:0:0", "./a --restart", {"array": "1-2%1", "time": "2-00:00:00"}, ""),
        *(("arc4 aire", f"#$ -m {old}\n./a", {"mail-type": new}, "") for old, new in MAIL.items()),
        ("arc4 aire", "#$ -o $JOB_NAME.$JOB_ID.$TASK_ID\n./a", {"output": "%x.%j.%a"}, ""),
        ("arc4 aire", "#$ -e e.$JOB_ID\n./a", {"error": "e.%j"}, ""),
        ("arc4 aire", "#$ -o logs -e logs -j y\n./a", {"output": "logs/%x-%j.out", "error": ""}, ""),
        ("arc4 aire", "#$ -o /nobackup/$USER/a -e /nobackup/$USER/a\n./a", {"output": "%x-%j.out", "error": ""}, ""),
        ("arc4 aire", "#$ -v A=1,B\n./a", {"export": "ALL,A=1,B"}, ""),
        ("arc4 aire", "#$ -hold_jid 17,18,19\n./a", {"dependency": "afterany:17:18:19"}, ""),
        ("arc4 aire", "#$ -hold_jid prep\n./a", {"dependency": ""}, "-hold_jid prep: Slurm waits for job IDs"),
        ("arc4 aire", "#$ -N a -hold_jid a\n./a", {"dependency": "singleton"}, ""),
        ("arc4 aire disk_out=results", "./a", {"tmp": ""}, "Slurm copies no results"),
        (OF_EIGHT, f"srun torchrun {EIGHT}", TWO_OF_FOUR, " --nproc-per-node=4 "),
        ("fir trillium -A x -c 8 -a 1-999%7", "./a", {"array": "1-500%7"}, ""),
    ],
)
def test_the_shape_of_a_job_of_full_nodes(job, body, wanted, words):
    case, said = said_of(job, body)
    found = directives(case.script)
    assert {name: found.get(name, "") for name in wanted} == wanted and words in said + case.script, said
    assert refused([case]) == [] and list(not_kept(case)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a=$((SGE_TASK_ID + SGE_TASK_STEPSIZE - 1))", "a=$((SLURM_ARRAY_TASK_ID + SLURM_ARRAY_TASK_STEP - 1))"),
        ("echo ${SGE_TASK_LAST:-1} $JOB_ID", "echo 9 $SLURM_ARRAY_JOB_ID"),
        ("[ $SGE_TASK_ID = undefined ]", "[ ${SLURM_ARRAY_TASK_ID:-undefined} = undefined ]"),
        ("python -c 'int(os.environ[\"SGE_TASK_LAST\"])'", "python -c 'int(\"9\")'"),
        ("perl -e '$ENV{SGE_TASK_ID}'", "perl -e '$ENV{SLURM_ARRAY_TASK_ID}'"),
        ("python -c 'int(os.environ[\"SGE_TASK_LAST\"])'", "python -c 'int(\"9\")'"),
        ("perl -e '$ENV{SGE_TASK_ID}'", "perl -e '$ENV{SLURM_ARRAY_TASK_ID}'"),
        ("python -c 'os.environ[\"SGE_TASK_ID\"]'", "python -c 'os.environ[\"SLURM_ARRAY_TASK_ID\"]'"),
        ("cat $PE_HOSTFILE", 'scontrol show hostnames "$SLURM_JOB_NODELIST"'),
        ("mpirun -machinefile $TMPDIR/machines ./a", "mpirun ./a"),
        ("mpirun -machinefile $PE_HOSTFILE ./a", "`$PE_HOSTFILE` lists nodes and slots"),
        ("qsub -cwd -hold_jid $JOB_ID b.sh 1", "sbatch --dependency=afterany:$SLURM_ARRAY_JOB_ID b.sh 1"),
        ("qsub -l h_rt=1:0:0,h_vmem=2G -v A=1 b", "sbatch --time=1:0:0 --mem=2G --export=ALL,A=1 b"),
        ("qsub -pe smp 4 -l h_vmem=2G b.sh", "Replace `qsub -pe smp 4 -l h_vmem=2G b.sh`"),
        ("qsub -hold_jid first b.sh", "--dependency=afterany:ID"),
        ("for i in 1 2; do qsub -hold_jid own b.sh; done", "`sbatch --dependency=singleton b.sh`, which waits"),
        ("#  qsub -hold_jid own b.sh", "move it as well, and write `sbatch --dependency=afterany:ID b.sh` with"),
        ("[ -e a ] || qsub $NEXT", "`b.sh` is a script for ARC4. If it is this script, save"),
        ("qstat -j $JOB_ID | grep usage", "sacct --jobs=$SLURM_ARRAY_JOB_ID --format="),
        ("./a || exit 99", "write `scontrol requeue $SLURM_JOB_ID`"),
        ("qstat -u $USER", "squeue --user=$USER"),
        ("qstat | awk 1", "`qstat | awk 1` reads or changes"),
    ],
)
def test_commands_and_variables_of_grid_engine(old, new):
    case = one("arc4", "aire", f"#!/bin/bash\n#$ -l h_rt=3600 -t 1-9:3 -N own -o x.$JOB_ID\nNEXT=b.sh\n{old}\n")
    assert new in case.script or new in " ".join(case.impossible), case.script
    assert directives(case.script)["output"] == "x.%A" and list(told(case)) == []


CONFIG = "cat > a.config <<'E'\nqueue = 'small'\n{}\nE\nnextflow run x -c a.config"
SETS = "clusterOptions = '--account=project_2009999 --gres=nvme:100'\nscratch = '$LOCAL_SCRATCH'"
WRAP = 'j=$(sbatch -A project_2009999 -p gpu --gres=gpu:v100:1,nvme:9 --wrap="./a")'
IMAGE = "module load apptainer pytorch/2\napptainer exec $CONTAINERDIR/pytorch-2.9.0.sif a"
CONDA = "conda activate t\nexport XLA_FLAGS=--xla_gpu_cuda_data_dir=$CONDA_PREFIX\npython a.py"
ENV = "virtualenv --no-download $SLURM_TMPDIR/e\n. $SLURM_TMPDIR/e/bin/activate\npip install --no-index x\n"
V100 = "-A project_2009999 -p gpu --gres=gpu:v100:1"
LAMMPS = "ml lammps\nsrun lmp -sf gpu -pk gpu 1 neigh no"
TORCH = "ml pytorch/2.4\n. ~/e/bin/activate\nsrun torchrun a.py"
GPUSMALL = "-A project_2009999 -p gpusmall --gres=gpu:a100:1"
ZIPS = "T=$SLURM_ARRAY_TASK_ID\n# zips of one tile, 35-50 GB unpacked\ncd $LOCAL_SCRATCH\nunzip /scratch/x/$T.zip"
RESULT = "OUT=/nobackup/$USER/f/a_$(printf %03d 1).rds\nif [ ! -s $OUT ]; then\n  cp a.rds $OUT\nfi"
INTEL = "cp -u a b.nml /nobackup/$USER/r\nmpirun ./a\n# make ARCH=-xCORE-AVX512"
BOUND = "singularity exec -B $T:/data -B /scratch a.sif t /data/x --target=/x/y"
COPIES = "mahti lumi -A x -p gpumedium -N 2 --gres=gpu:a100:4,nvme:800"
H100 = "-A x -p gpu-h100 --gpus=h100:1"
NVME = "-A project_2009999 -p gpu --gres=gpu:v100:1,nvme:100"
A100 = "-A def-x --gpus-per-node=a100:1"
VENV = "srun bash -c '\nvirtualenv --no-download e &&\nsource e/bin/activate &&\npip install --no-index torch'"
TOO = "`$TMP_LOCAL` becomes a directory in /scratch/project_2001234, too."
UNPACK = "tar xf - -C $LOCAL_SCRATCH"
FULL, BUFFER = "roihu kestrel -A project_1 -p medium -N 4 --ntasks-per-node=384", "/run/sbb/$USER"
MPMD = "B=/projappl/project_2009999/b\nln -sf $B/nemo.exe nemo.exe\ncat > m <<E\n0-9 ./nemo.exe\nE\nsrun --multi-prog m"
LORA = ". ~/venvs/lora/bin/activate\nml pytorch\ncompgen -G a\nsrun bash -c 'python3 -m accelerate \\\n  sft.py'\n"
FOAM = "if [ ! -d 0 ]; then\n  srun snappyHexMesh -overwrite\nfi\nsrun pimpleFoam  # latestTime"
ALONE = "--standalone --nproc-per-node=4 x.py"
RUN = f"torch.distributed.run {ALONE}"
GCDS = "lumi kestrel -A x -p standard-g -N 2 --ntasks-per-node=8 --gpus-per-node=8 -c 7"
FOUR = "kestrel lumi -A x -p gpu-h100 -N 1 -n 1 -c 128 --gpus=h100:4"
CORES = "fir narval -A def-x -c 96"
DAYS = "narval trillium -A def-x --gpus-per-node=a100:4 -c 48 --time=2-0"
H100_LUMI = "kestrel lumi -A x -p gpu-h100 --gpus=h100:1"
WEEK = "puhti roihu -A project_2009999 -p gpu --gres=gpu:v100:1 -t 3-0"
RAY = "rivanna kestrel -A x -p parallel -N 4 --ntasks-per-node=1 -c 40 --mem=0"
LUMI_ROIHU = "lumi roihu -A x -p small-g --gpus-per-node=1"
FULL_NODE = "cedar trillium -A def-x -c 32 --mem=120G --time=2-0"
WHOLE = "narval fir -A x -N 4 --ntasks-per-node=64 --mem=0"
VIRTUAL = "vermilion swift -A x -p lg"
FEWER = "because the job now has 64 cores, not 96"
KOKKOS = "srun ./s $LMP -k on g 8 -sf kk"
LOOP = "for i in {0..7}; do\nCUDA_VISIBLE_DEVICES=$i ./a\ndone"
NODES = "cedar trillium -A def-x -c 32 --mem=360G"
LARGE = "puhti roihu -A x -p large -N 5 --ntasks-per-node=40"


@pytest.mark.parametrize(
    "row",
    [
        ("fir nibi -A def-x", CONFIG.format("executor = 'slurm'; memory = 750.GB"), "memory = 748.GB", "larger nodes"),
        (
            "fir narval -A def-x",
            CONFIG.format("executor = 'slurm'; memory = 600.GB"),
            "write 250.GB, because one with more waits for the few",
        ),
        (
            "fir narval -A def-x",
            CONFIG.format("executor = 'slurm'; memory = 1500.GB"),
            "memory = 1500.GB",
            "usual nodes",
        ),
        ("fir nibi -A def-x", "./a --memory 750.GB memory=750GB", "memory=750GB\n", "usual nodes"),
        (
            "fir nibi -A def-x_cpu",
            "export S_ACCOUNT=def-x_cpu T_ACCOUNT=def-x_cpu",
            "S_ACCOUNT=def-x T_ACCOUNT=def-x\n",
        ),
        ("narval aire", "ml python arrow/17\n. ~/e/bin/activate", "module `arrow` has pyarrow. Install this in"),
        ("narval fir", "ml python arrow/17\n. ~/e/bin/activate", "", "pyarrow"),
        ("narval aire", "ml python arrow/17\npython a.py", "", "Install this in the new"),
        ("fir swift -A x", "prefetch a", "not know whether compute nodes of Swift have internet. If not, download"),
        ("fir swift -A x", "# wget a", "", "internet"),
        ("fir trillium -A x --gpus-per-node=h100:2", "./a", "submit 2 jobs with one GPU each"),
        ("fir trillium -A x --gpus-per-node=h100:1", "./a", "", "with one GPU each"),
        ("fir trillium -A x -a 1-9", "cp a $SLURM_TMPDIR", "Those of all tasks that run at the same time"),
        ("cedar swift -A x -c 8", "./a", "so this job has 4 cores. If it is too slow, use"),
        ("cedar swift -A x -c 1", "./a", "", "threads"),
        ("cedar aire -A x -c 8", "./a", "", "two threads"),
        # Modules that a variable names.
        ("rorqual aire", "M='StdEnv/2023 gcc/12.3'\nml $M python/3.11", "ml gcc/13.2.0; module load python\n", "M='"),
        ("rorqual aire", "M=(gcc/12.3)\nml ${M[@]}\necho $M", "\nM=(gcc/12.3)\nml gcc/13.2.0\necho $M\n"),
        ("rorqual fir", "M='StdEnv/2023 gcc/12.3'\nmodule load $M", "\nM='StdEnv/2023 gcc/12.3'\nmodule load $M\n"),
        ("rorqual aire", "for m in gcc; do module load $m; done", "done` loads modules that a variable names"),
        # What the script asks for other jobs.
        ("puhti lumi", CONFIG.format(SETS), "clusterOptions = '--account=project_462000123'\n", "nvme"),
        ("puhti lumi", CONFIG.format(SETS), "scratch = false\n", "/tmp"),
        ("puhti fir", CONFIG.format(SETS), "scratch = '$SLURM_TMPDIR'\n", "may name"),
        ("puhti lumi", "nextflow run x -c own.config", "`own.config` may name accounts"),
        ("puhti lumi", "nextflow run x -profile puhti,a", "`-profile puhti` is for Puhti"),
        ("puhti lumi", "snakemake --profile p/puhti", "`p/puhti` may name accounts"),
        ("puhti lumi", "C(queue='large', account='project_2009999')", "account='project_462000123'", "nvme"),
        ("kestrel lumi", "lfs setstripe -c 8 a", "", "`lfs` is a command"),
        ("kestrel lumi", "lfs quota -h .", "`lfs quota` is a command of Kestrel. Write `lumi-workspaces`"),
        (
            "mahti lumi",
            "lfs quota -hp 2001234 /scratch",
            "`lfs quota` names project 2001234 of Mahti. Write `lumi-work",
        ),
        (f"puhti lumi {NVME}", "while :; do nvidia-smi -L >a; sleep 9; done &", "do rocm-smi >a;", "NVIDIA GPUs. Use"),
        (
            f"puhti lumi {NVME}",
            "(while :; do\nnvidia-smi -q >a\ndone) &",
            "`nvidia-smi -q` is for NVIDIA GPUs. Use rocm",
        ),
        (
            f"mahti lumi {GPUSMALL}",
            "ml pytorch\nsingularity_wrapper exec python3 a.py",
            '"$image" python3 a',
            "is part of",
        ),
        ("lumi narval -A x -p small-g --gpus-per-node=1", "ml pytorch\npython a.py", "--no-index torch", "no module"),
        ("kestrel nibi -A x -p standard", "export TMPDIR=/tmp/scratch/$SLURM_JOB_ID", "TMPDIR=$SLURM_TMPDIR\n", "_ID"),
        ("lumi kestrel -A x -p small", "ml LUMI lumi-container-wrapper\na", "", "no such module"),
        ("puhti swift -A x -p small", "ml gaussian\ng16 <a", "with your license.", "conda"),
        (
            "mahti roihu -A x -p medium -N 3 -c 128 --mem=200G",
            "srun a -npernode 1",
            "per-node=3 --mem=600G`",
            "nothing",
        ),
        (
            "puhti rorqual -A x -p hugemem -c 40 --gres=nvme:2000 --mem=1200G",
            "cp a $LOCAL_SCRATCH",
            "nvme:2000",
            "--tmp",
        ),
        (
            "roihu kestrel -A x -p small -N 1 -n 384 --mem=700G",
            "cp -r a $TMPDIR/\nsrun a",
            "runs only on the first",
            "medmem",
        ),
        (H100_LUMI, "a.py --attn flash_attention_3", "requires an NVIDIA H100"),
        (
            LUMI_ROIHU,
            "ml craype-accel-amd-gfx90a\nftn -fopenmp a.f90",
            "`-fopenmp` compiled for the GPU. On Roihu,",
        ),
        ("lumi kestrel", "lumi-check-quota", "`lumi-check-quota` is a command of LUMI. Remove it", "found on"),
        ("roihu aire", 'apptainer exec --bind="$(csc-common-bind)" a b', "is a command of Roihu. Remove", "found on"),
        ("mahti fir -A x -p medium", "ml cp2k/2024.2\nsrun cp2k", "where the script had 2024.2.", "perhaps in"),
        (
            "puhti fir",
            "python - <<'E'\nread('/scratch/project_1/x')\nE",
            "python - <<E\nread('/scratch/$USER/x')",
            "no var",
        ),
        (
            "puhti fir",
            "awk -f - a <<'E'\n{print $1 > \"/scratch/project_1/x\"}\nE",
            "the shell replaces no variables",
            "<<E",
        ),
        ("puhti fir", "cat > a.sh <<'E'\ncd /scratch/project_1/x\nE", "<<'E'\ncd /scratch/$USER/x", "<<E"),
        (
            f"{COPIES.replace('lumi', 'kestrel')} --mem=0",
            "numactl -N $A ./a",
            "`numactl -N $A` names a memory domain",
            "keeps",
        ),
        ("swift kestrel -A x -p gpu --gres=gpu:4 --mem=0", "./a", "which was 976G on Swift, but can be 351G", "keeps"),
        ("mahti fir", "cat >w.sh <<E\nE\nsrun ./w.sh /projappl/project_1/q/hmc", "q/hmc` depends on Mahti's"),
        (
            "lumi fir",
            "bash -c 'ml x; source /project/project_1/v/bin/activate'",
            "`/project/project_1/v` is an env",
        ),
        ("kestrel lumi", 'tar c a | ssh b "cat >/kfs3/scratch/x/o.tar"', "", "is a path on Kestrel"),
        ("roihu fir --export=HOME,CSC_ENV_INIT_NON_INTERACTIVE=yes", "./a", "It is for Roihu's login nodes"),
        ("mahti roihu", "lfs quota -hp 2001234 /scratch", "", "lfs quota"),
        ("puhti roihu", "export MLM_LICENSE_FILE=/appl/opt/m/network.lic", "\n# export MLM", "Find its replacement"),
        ("kestrel rivanna", "export X_LICENSE_FILE=$HOME/x.lic", "\nexport X_LICENSE_FILE", "a license file of"),
        ("kestrel fir", CONFIG.format("queue = { a ? 'bigmem' : 'b' }"), "`bigmem` is a partition", "`b`"),
        ("aire lumi", "snakemake --executor slurm -j 9", "need an account and a partition on LUMI"),
        ("aire lumi", "snakemake --executor local -j 9", "", "need an account"),
        ("puhti roihu", WRAP, "--partition=gpumedium --cpus-per-task=72 --gres=gpu:gh200:1` inst", "of the type"),
        ("aire rivanna", "sbatch -p himem \\\n  --mem=900G b.sh", "`--partition=standard` instead", "Use one"),
        ("aire rivanna", "sbatch b.sh", "as well, because jobs on Rivanna/Afton need an"),
        ("kestrel fir", "sbatch -t 50 next", "`next` is a script for Kestrel, too.", "In the command"),
        ("aire lumi", "sbatch ~/a/b.sh", "If it is this script, save the new one under this name", "too."),
        # What must be built or installed again.
        ("mahti lumi", MPMD, "`/projappl/project_2009999/b/nemo.exe` depends on Mahti", "`./nemo.exe`"),
        ("mahti lumi", "export LD_LIBRARY_PATH=$LD_LIBRARY_PATH:~/x/lib", "`~/x` depends on Mahti"),
        ("mahti lumi", MPMD.replace("0-9", "$N-$((N+9))"), "`/projappl/project_2009999/b/nemo.exe` dep"),
        ("mahti lumi", "mpirun -n 1 ./a : -n 2 ./b", "`./b` depends on Mahti"),
        ("mahti lumi", 'export ASE_VASP_COMMAND="srun ~/v/vasp"\na', "`~/v/vasp` depends on Mahti"),
        ("mahti lumi", "B=$HOME/b\nsrun $B/run", "`$HOME/b/run` depends on Mahti"),
        ("mahti roihu", "elmerf90 -o l/u.so u.F90\nsrun ./a l/u.so", "`./a` depends on Mahti", "`l/u.so`"),
        ("mahti roihu", "export PATH=${SLURM_SUBMIT_DIR}:$PWD:$PATH\na", "", "depends on"),
        # What runs that the guide does not know.
        ("fir narval", "ml gcc\ntime srun relax\n$H", "`relax` and `$H` are found on Narval"),
        ("fir narval", "relax", "found on Narval: run `command -v relax` there.", "We checked"),
        ("fir narval", "ml relax\nrelax", "We checked the lines of the script, but not", "`relax`"),
        ("fir narval", "f() { ls; }\nf\nsamtools sort a | tr a b", "", "We checked"),
        ("fir narval", "source ~/env/bin/activate\nrelax", "`~/env` is an environment", "`relax`"),
        ("fir narval", "apptainer exec a.sif bash /opt/b.sh relax", "", "/opt"),
        ("fir narval", "ls /opt/a/b /cvmfs/c/d", "Check that `/opt/a/b` exists on Narval", "cvmfs"),
        ("aire rivanna", "ls /usr/local/a /usr/lib/b", "Check that `/usr/local/a` exists", "`/usr/lib"),
        ("fir narval", ". /x/a.sh\n. ~/conda/b.sh", "runs `/x/a.sh`, which we did not read", "exists"),
        ("fir narval", "cat > b.sh <<E\nE\nbash b.sh\nwget a.org/c.sh\nbash c.sh", "", "runs"),
        ("fir narval", "./a", "Narval does not have Fir's files. Copy what the job", "We checked"),
        # Programs of other systems, and files behind links.
        ("lumi trillium -A x -p small", "ml cpeGNU/24 cray-hdf5\na", "belong to HPE Cray's", "spider cpeGNU"),
        ("rivanna narval -A x -p gpu --gres=gpu:1", "ml alphafold/2.3.1", "only AlphaFold 3 on Narval", "this loads"),
        ("aire lumi -p gpu --gres=gpu:1", "python a.py $CUDA_HOME", "do not use CUDA", "is not set in"),
        ("rorqual trillium", "cp ~/links/projects/def-x/a .", "files (`/project/def-x`)", "(`~`)"),
        ("cedar trillium", "srun ~/b/bin/x ~/y.py", "", "can only read"),
        (
            f"mahti lumi {GPUSMALL}",
            "export PYTHONUSERBASE=/p\ntorchrun a.py",
            "so remove the line",
            "Install them again",
        ),
        (
            f"mahti lumi {GPUSMALL}",
            "# pip install --user h5py\ntorchrun a.py",
            "-m venv --system",
            "Install them again",
        ),
        (f"narval lumi {GPU}", JOBS.replace("pandas", "vllm pandas"), "If it lacks pandas, install", "vllm,"),
        ("mahti roihu", "export PYTHONUSERBASE=~/py", "`PYTHONUSERBASE=~/py` contains packages"),
        ("narval roihu -A x", "pip install --no-index -r a.txt # torch==2+computecanada", "`+computecanada`"),
        ("mahti roihu", "# u.so was compiled with elmerf90 here\na", "`u.so` depends on Mahti's libraries"),
        ("mahti roihu", "# built with gcc and openmpi\nsrun a", "this depends on Mahti's compilers"),
        ("mahti roihu", "# compiled with gcc, as below\nmake\nsrun a # x.so", "", "compilers"),
        ("mahti roihu", "# a.sif was built with gcc\nLD_PRELOAD=libm.so srun a", "", "depends on"),
        ("aire rorqual --gres=gpu:1", CONDA, "$CONDA_PREFIX`: the new software has no `$CONDA_PREFIX`. Load the"),
        ("beluga narval -A def-x --gres=gpu:1", "ml StdEnv/2020 python", "", "is older than"),
        ("beluga rorqual -A def-x --gres=gpu:1", "ml StdEnv/2020 python", "StdEnv/2020 is older than"),
        (f"mahti lumi {GPUSMALL}", "export PYTHONUSERBASE=/p # pip install --user\njax.py", "but JAX does", "~/.local"),
        (
            "kestrel lumi -A x -p gpu-h100 --gpus=h100:1",
            "a --attn flash_attn",
            "container has FlashAttention for AMD",
            "Find",
        ),
        (f"puhti roihu {PUHTI} --gres=nvme:60 --array=1-99%40", ZIPS, "40 concurrent tasks need 2 TB.", "one copy"),
        # Modules on several lines, under another name, or that nobody documents there.
        ("mahti roihu", "ml gcc/14.2.0\nml cp2k/2025.1", "it may need other modules first", "loads the same"),
        ("arc4 aire", "module swap intel gnu/6.3.0", "a different version from gnu/6.3.0", "This is the module's name"),
        ("arc4 aire", "module add R\nmodule add gdal geos", "bring these libraries from conda", "gdal on"),
        ("arc4 aire", "module add R\nexport R_LIBS_USER=~/R", "R's packages on Aire are in its conda", "Remove `R_"),
        ("arc4 aire", "module add R\nR_LIBS_USER=~/R Rscript a.R", ':$PATH"\nRscript a.R', "Install them"),
        ("arc4 aire", "module add R\nR_LIBS=~/R; Rscript a.R", ':$PATH"\nRscript a.R', "Install them"),
        ("arc4 aire", "module add R\nexport R_LIBS=~/R\nmkdir -p $R_LIBS", "R_LIBS=~/R\nmkdir", "are in its conda"),
        ("cedar fir -A x -N 2", "ml StdEnv/2023 namd-ofi/3\nsrun a", "StdEnv/2023 namd-ucx/3\n", "these versions"),
        ("beluga rorqual", "cp a ~/nearline/b/", "`~/nearline/b/`: compute nodes of Rorqual do not have nearline"),
        (f"kestrel narval {GPU} --tmp=1600G", "cp a $TMPDIR", "perhaps more, because the disk has 3576G", "no node"),
        (
            "narval trillium",
            "P=~/projects/a/x\ncp b ~/projects/a/r/\ncp c ~/projects/a/r/d/",
            "P=$HOME/links/projects/a/x\n",
        ),
        ("lumi rivanna -A x", "ml cray-python\nsnakemake --use-singularity", "\nmodule load apptainer\n"),
        ("puhti kestrel", "ml r-env/442\nexport R_LIBS_USER=/a/rpackages_442\nRscript a", "", "Install them"),
        (
            "arc4 aire",
            "export CUDA_VISIBLE_DEVICES=$SGE_GPU\n./a $SGE_ROOT",
            "`$SGE_ROOT` is a variable of G",
            "SGE_GPU",
        ),
        ("arc4 aire", "N=$(ls *.a | wc -l)\n./a\nif [ $N -lt 9 ]; then\nqsub $0\nfi", "`sbatch` also runs after a"),
        ("cedar fir", "export MLM_LICENSE_FILE=1@b.ca\nmatlab -r c", "Check that jobs on Fir can reach it."),
        ("rivanna kestrel", "hdquota", "Write `lfs quota -uh $USER /home/$USER` on Kestrel."),
        (
            "cedar fir",
            "# sbatch b.sh\n./a\nif [ -f c ]; then\ncp -r a $HOME/d/\nelse\nsbatch b.sh\nfi",
            "`sbatch b.sh` also",
        ),
        ("kestrel swift -A x -N 4 --ntasks-per-node=104", "srun a", "use `--nodes=7 --ntasks=416`."),
        ("narval swift -A x -N 2 --ntasks-per-node=64 --exclusive", "srun a", "", "counts hardware threads"),
        ("narval swift -A x -c 13", "./a", "this job has 7 cores. If it is too slow, use `--cpus-per-task=26`."),
        ("narval swift -A x", "./a", "", "counts hardware threads"),
        (f"{VIRTUAL} -N 1 --exclusive", "N=60\nsrun --mpi=pmi2 -n $N pw.x", "--ntasks-per-node=60\n", "OMP_NUM"),
        (f"{VIRTUAL} -N 1 --exclusive", "srun -n 12 ./a", "--ntasks-per-node=12\n#SBATCH --cpus-per-task=5\n"),
        (f"{VIRTUAL} -N 1 --exclusive", "srun -n 2 -c 9 ./a -n 60 &\nwait", "--cpus-per-task=60\n", "--ntasks"),
        ("mahti rorqual", "ml fftw/3.3.10-mpi hdf5/1.10.7-mpi", "# module load fftw-mpi hdf5-mpi", "load hdf5\n"),
        ("rivanna kestrel", "ml goolf/11.4 orca/6", "\nml gcc openmpi/5.0.3-gcc; module load orca\n"),
        ("narval nibi -A def-x --gpus-per-node=a100:4 -n 4 -c 32", "export OMP_NUM_THREADS=8", "NUM_THREADS=8\n"),
        (
            "narval rivanna -N 3 --gpus-per-node=a100:2",
            "srun -w ${n[$i]} ray start &",
            "`srun -w ${n[$i]}` starts on a node by its number",
        ),
        ("aire kestrel -N 2 -n 336 --mem=0", "srun a", "`medmem` has more than the usual 240G of memory"),
        ("cedar fir", "h() { sbatch $0; }\ntrap h USR1\n./a &\nwait", "", "runs after a failure"),
        ("cedar fir", "./a\nsbatch $0", "`sbatch $0` also runs after a failure. If jobs fail at once on Fir"),
        ("cedar fir", "./a\nif [ ! -f D ]; then\n  sbatch b.sh\nfi", "If this is the script itself, and jobs fail"),
        ("cedar fir", "# sbatch b.sh\n./a || exit 1\nsbatch b.sh", "", "after a failure"),
        ("cedar fir", "# sbatch b.sh\n./a && sbatch b.sh\nif ./c; then\nsbatch $0\nfi", "", "after a failure"),
        ("vermilion kestrel", "source /nopt/nrel/apps/2/myenv.21\n./a", "This file sets up software of V", "Find its"),
        ("narval kestrel -N 2 -c 64 --mem=0", "srun -n 64 -c 2 ./a", "=104` and more processes in `srun -n 64`, if"),
        ("narval trillium -n 2 -c 64", "./a", "The option is unchanged, on its own line."),
        (
            "puhti roihu",
            "# .libPaths('/projappl/x/rpackages_432')\nRscript a.R",
            "/projappl/x/rpackages_432` contains pack",
        ),
        (
            "arc4 aire",
            "ml anaconda\nsource activate /nobackup/me/envs/a",
            "\nsource activate $HOME/envs/a\n",
            "$SCRATCH",
        ),
        ("arc4 aire", "ml anaconda\nsource activate /nobackup/me/envs/a", "Create it again on Aire, in `$HOME/envs/a`"),
        ("arc4 aire", "tar czf /home/home01/$USER/r/a.tgz b", "\ntar czf $HOME/r/a.tgz b", "is a path on", "link"),
        ("arc4 aire", "module add R", "This uses your own conda environment", "This loads the software"),
        (
            "mahti roihu -A x -N 8 --ntasks-per-node=64 -c 2",
            "srun ./a",
            "use 1,024 of the 1,152 cores",
            "sets the number",
        ),
        (COPIES, 'srun bash -c "cp /scratch/x/a \\$LOCAL_SCRATCH/s/"', "Remove its srun command, and read", "\\/"),
        (f"narval lumi {GPU}", f"ml gcc \\\n  kalign\n{ENV}af.py", "If `af.py` came with the env"),
        (f"narval lumi {GPU}", f"ml gcc \\\n  kalign\n{ENV}af", "no module kalign on LUMI", "gcc on"),
        ("narval fir", "ml gcc \\\n  kalign\na", "\nml gcc \\\n  kalign\na\n", "joined"),
        ("swift kestrel", "ml vaspintel\nml gcc\nsrun vasp_std", "\nmodule load vasp\nsrun", "vaspintel on"),
        ("puhti roihu", "ml sambamba allas\nsambamba a", "as a conda package. Wrap", "allas on"),
        ("rivanna fir", "ml cellranger/7", "install the program yourself or use a container that"),
        ("mahti roihu", "ml eccodes\na", "no module eccodes", "install the program"),
        # What is for another vendor's GPUs, another Open MPI or other users.
        (f"kestrel lumi {GPU}", LAMMPS + " -in b.in", "lmp -sf kk -pk kokkos -k on g 1 -in b.in"),
        (f"kestrel lumi {GPU} -n 4", LAMMPS, "This job has 4 processes for 1 GPU."),
        (f"lumi kestrel {GPU}", "ml lammps\nlmp -k on g 1 -sf kk -pk kokkos", "\nlmp -pk gpu 1 -sf gpu\n"),
        (f"fir lumi {GPU}", "module purge\nml gcc openmpi/4", "module purge also unloads modules that compilers"),
        (f"fir lumi {GPU} -n 2", "ml openmpi\nmpicc a.c", "\ncc a.c"),
        (f"fir lumi {GPU} -n 2", "ml openmpi", "write `export MPICH_GPU_SUPPORT_ENABLED=1` before"),
        (f"fir lumi {GPU}", "cmake -DCMAKE_CUDA_ARCHITECTURES=90 .", "write `-DCMAKE_HIP_ARCHITECTURES=gfx90a`"),
        (f"puhti lumi {V100}", TORCH, 'run "$image" ~/e/bin/python3 -m torch.distributed.run a'),
        (f"puhti lumi {V100}", TORCH, "container's Python: `singularity run"),
        ("puhti roihu", "ml biokit\nbwa index a", "\nml bio-apps bwa\n", "no module"),
        ("puhti roihu", "ml biokit samtools\nSTAR a\nblastn b", "bio-apps samtools blast-plus star\n"),
        ("puhti roihu", "sbatch --wrap 'module load iqtree/2.1; a'", "'module load bio-apps iq-tree; a'"),
        ("puhti roihu -A Project_2009999", "ls /scratch/project_2009999", "/project_2009999\n", "Replace"),
        ("narval rivanna", "sbatch -A def-x -t 9 --wrap 'a; b'", "write `--partition=standard --m"),
        ("narval rivanna -A def-x -o /home/me/scratch/%j", "a", "-o /scratch/%u/%j\n", "files"),
        ("beluga rivanna", "ls /home/me/scratch/a", "ls /scratch/$USER/a\n", "is a directory in your home"),
        ("beluga rivanna", "cp ~/a /home/me/projects/def-x/b .", "/project/mygroup/b .\n"),
        ("beluga rivanna -A def-x --gres=gpu:v100:1 --mem=64G", "./a", "--gres=gpu:v100:1", "at most 29G"),
        ("beluga rivanna -A def-x --gres=gpu:v100:1 --mem=20G", "./a", "--gres=gpu:1g.24gb:1"),
        (f"puhti roihu {PUHTI} --gres=nvme:90", "./a", "20 GiB in $TMPDIR, together with"),
        ("mahti roihu", "ml vasp/6\nvasp_std", "install the program with your license.", "conda"),
        ("swift kestrel -A x -n 4", "ml openmpi/4\nsrun --mpi=pmi2 ./a", "srun --mpi=pmix ./a", "fails"),
        ("mahti lumi -A x -p medium", "srun --mpi=pmix ./a", "srun ./a\n", "mpi=list"),
        ("puhti lumi -A x -n 4", "$D/bin/orca a.inp", "`orca` starts its processes with Open MPI"),
        ("kestrel lumi -A x -n 4", "cd /kfs2/projects/x/a", "cd /project/project_462000123/a\n"),
        ("puhti lumi -A x -n 4", "mpirun --mca mtl psm2 -np 4 -x A ./a", "\nsrun ./a\n", "mca"),
        ("cedar fir -A x -n 4", "mpirun --mca pml cm -mca mtl psm2 ./a", "\nmpirun ./a\n"),
        ("swift rorqual -A x -n 4", "mpirun --mca pml ucx ./a", "--mca pml ucx ./a"),
        ("graham nibi -A x", "scp a b@graham.sharcnet.ca:c", "`graham.sharcnet.ca` is a computer of Graham"),
        ("puhti roihu -A x", "rsync -a b/ mahti.csc.fi:/c", "can log in to `mahti.csc.fi` without"),
        ("puhti lumi -A x -o ~/scratch/a/%j", "./a", "its files (`~/scratch`)"),
        ("mahti lumi -A x -p medium", "export SLURM_MPI_TYPE=pmix", "", "\nexport SLURM"),
        ("kestrel lumi -A x -p standard -N 2 --exclusive", "srun --ntasks-per-node=4 ./a", "", "cpus-per-task"),
        ("beluga trillium", "D='/home/me/projects/a/b'", 'D="$HOME/links/projects/a/b"', "'$HOME"),
        ("beluga rorqual", "a '/home/me/projects/a/b'", "a '/home/me/links/projects/a/b'\n", "mkdir"),
        ("beluga trillium -A def-x -a 1-36", "./a", "run all 36 of the array's tasks", "149 of"),
        (f"lumi roihu {GPU} --gpus-per-node=8 -N 4", "srun --nodes=3 -x $H a", "Change `--nodes=3`, bec"),
        ("lumi roihu", "H=$(scontrol show hostnames)\nsrun -w $H $S a", "", "command -v show"),
        ("rivanna lumi -A x -p gpu --gres=gpu:v100:1", "ml namd R", "no module R on LUMI", "partition/C"),
        ("kestrel lumi -A x -p standard -N 2 --exclusive", "./a", "", "A Kestrel node had 224G of memory."),
        (FULL, "srun ./a", "--mem=237G", "--mem=744G"),
        (f"mahti fir {V100}", "ml pytorch\njupyter-lab --no-browser", "numpy` does not install `jupyter-lab`. Add its"),
        ("aire roihu --gres=gpu:1", "tar xf a -C $TMP_SHARED  # 640 GB of data on the local disk\nls $TMP_LOCAL", TOO),
        (
            f"mahti lumi {V100}",
            "D=$(nvidia-smi -q | wc -l)\n./a $D",
            "`nvidia-smi -q` is for NVIDIA GPUs. Use rocm-smi, w",
        ),
        (f"mahti lumi {V100}", "ml namd\nnamd2 +p7 a", "NAMD starts with `namd3`. Write this if `namd2` is"),
        (
            f"puhti roihu {V100}",
            f"# 430 GB of tiles\nrclone cat a:b | {UNPACK}\ncp $LOCAL_SCRATCH/c .",
            "needs 430 GB there",
            "as much",
        ),
        (f"puhti roihu {V100}", f"# 430 GB of tiles\ncat /scratch/project_1/b | {UNPACK}", "and as much for its"),
        (
            "graham nibi -A def-x --gres=gpu:t4:2",
            "CUDA_VISIBLE_DEVICES=$i ./a",
            "Then let `CUDA_VISIBLE_DEVICES=$i` name",
        ),
        ("graham nibi -A def-x --gres=gpu:t4:2", "CUDA_VISIBLE_DEVICES=0 ./a", "may be enough.", "Then let"),
        ("graham nibi -A def-x --gres=gpu:t4:2 -a 1-9", "cp a $SLURM_TMPDIR  # 900 GB", "", "tasks share"),
        ("beluga trillium -A def-x -a 1-36", "./a >$TMPDIR/b", "the same `$TMPDIR/b`"),
        ("beluga trillium -A def-x -a 1-36", "./a >$TMPDIR/b$SLURM_ARRAY_TASK_ID", "in one job.", "Then create"),
        (f"mahti lumi {GPU} -p gpumedium -N 5 --exclusive", "srun ./a", "full nodes without it", "is removed"),
        (FULL, f"#BB_LUA SBF storagesize=2TB path={BUFFER}\nsrun ./a {BUFFER}", "2TB of storage at `/run"),
        (f'{FULL} --bb="#BB_LUA SBF path={BUFFER}"', f"srun ./a {BUFFER}", "srun ./a /scratch/$USER/$SLURM_JOB_ID\n"),
        ("fir rorqual", "apptainer pull docker://a", "nodes of Rorqual have no internet"),
        (f"mahti lumi {V100}", "apptainer build a.sif docker://b", "\nsingularity build a.sif", "apptainer"),
        ("puhti lumi -A x -p small", "ml r-env lammps", "is a module that you install once", "spider lammps"),
        ("graham rorqual", "ls ~/project/$USER/b", "ls $HOME/links/projects/def-x/$USER/b\n"),
        ("graham trillium", "cd ~/projects/def-x\nsrun ./a", "writes there, use $SCRATCH"),
        ("rivanna lumi", "apptainer run --nv a.sif /scratch/$USER/a", "-B /project", "your dir"),
        ("lumi rivanna -p small", "rclone copy -P lumi-o:b /tmp/c", "needs your settings. Create"),
        (
            "mahti roihu",
            "cat > c <<'E'\nqueue = { a ? 'medium' : 'small' }\nclusterOptions = '--gres=nvme:90'\nE\nnextflow a",
            "The script's own jobs requested `nvme:90`, and have 20 GiB in $TMPDIR",
            "--gres=nvme:90'\n",
        ),
        ("cedar narval", "srun ./a", "`./a` may use AVX-512, which nodes of Narval do not have."),
        ("cedar fir", "srun ./a", "", "AVX-512"),
        ("arc4 aire", "fluent 3d -t8 -pib.dapl -g", "\nfluent 3d -t8 -g\n"),
        ("vermilion kestrel", "rsync a kestrel.hpc.nrel.gov:/b", "is Kestrel, on which the job now"),
        ("beluga fir -A x", "R=me@beluga.computecanada.ca:/b", "is a computer of Béluga, which is retired"),
        ("lumi roihu", "[ -x a ] || ftn -O3 a.f90\nFC=ftn make", "|| mpif90 -O3 a.f90\nFC=mpif90 make"),
        ("graham nibi -A x", "W=/localscratch/$USER.${SLURM_JOBID}.0/a", "W=$SLURM_TMPDIR/a\n"),
        ("lumi roihu", "a /tmp/data/b", "job's memory, but on Roihu, the job has 20 GiB"),
        ("kestrel lumi -A x -p standard -N 1 -n 36", "srun ./a", "240G of memory, but now has 63G per"),
        ("swift lumi", 'a | ssh b@c.nlr.gov "cat > /projects/x/a"', '"cat > /projects/x/a"\n'),
        ("arc4 aire", "qsub $JOB_SCRIPT", "`$JOB_SCRIPT` is not set"),
        ("lumi roihu", "lumi-allocations -p a", "`lumi-allocations` is a command of LUMI"),
        ("arc4 aire", "qsub -hold_jid $JOB_NAME b.sh", "--dependency=afterany:$SLURM_JOB_ID b.sh"),
        ("puhti roihu -A x -p large -N 6", "srun -n 6 ./a", "--partition=medium"),
        ("rivanna narval", "sbatch -a $((A+9)) -p standard b.sh", "remove `-p standard`"),
        ("lumi roihu", "rclone copy a lumi-46-private:b", "needs your settings. Create"),
        ("rivanna nibi -A x -p parallel -N 3 -n 120 --mem=0", "srun ./a", "needs less, lower --mem"),
        ("cedar narval -A x", "ml StdEnv/2020 && ml quantumespresso/7\nsrun q2r.x", "", "command -v"),
        (f"puhti roihu {V100}", "apptainer_wrapper exec python3 /app/a.py --b 1", "", "is a path on"),
        ("trillium roihu -A def-x -o /scratch/me/%j", "ssh trig-login01 ls", "`trig-login01` is a short", "/me/"),
        ("beluga kestrel -A def-x -N 3 --ntasks-per-node=32 --mem=0", "srun ./a", "Check that all of one n"),
        ("nibi rivanna", "cd /scratch/me/a", "cd /scratch/$USER/a"),
        ("fir roihu", "a --args '-B /b -B /cvmfs' # apptainer", "a --args '-B /b' #"),
        ("fir roihu", "globus transfer $N:/scratch/me/a b", "$N:/scratch/me/a b"),
        ("graham kestrel", "D=/datashare\n./a $D/b", "no shared data sets like /datashare", "that name"),
        (f"puhti lumi {V100}", "ml amber\nsrun pmemd.cuda -O", "\nsrun pmemd.hip -O", "pmemd.cuda` is"),
        (f"fir lumi {GPU}", "ml julia\njulia -e 'using CUDA'", "Use AMDGPU.jl inst", "Programs c"),
        (f"fir lumi {GPU}", "export JULIA_DEPOT_PATH=~/d # CUDA.jl", "with AMDGPU.jl instead of CUDA.jl"),
        ("lumi roihu -p small-g -A x --gpus=1", "ml julia-amdgpu\n./a --backend amdgpu", "ml julia-cuda\n", "spider"),
        ("lumi roihu -p small-g -A x --gpus=1", "ml julia-amdgpu", "`AMDGPU.jl` is for AMD GPUs. Use CUDA.jl instead"),
        ("mahti lumi -p gpusmall -A x --gres=gpu:a100:1", "ml julia-cuda", "Local-CSC julia-amdgpu"),
        (
            f"fir lumi {GPU}",
            "P=~/pkgs\nPYTHONPATH=$P python t.py",
            "They would hide those for AMD GPUs",
            "Install them",
        ),
        ("fir kestrel", "# pip install --target\nPYTHONPATH=~/v:~/w python t.py", "`~/w` is on PYTHONPATH", "hide"),
        ("fir kestrel", "PYTHONPATH=~/code/src python t.py", "", "is on PYTHONPATH"),
        ("narval kestrel", "cmake -B b\nmake -C b", "delete the whole build directory with CMakeCache.txt"),
        ("narval lumi", "rsync -a o/ ~/projects/def-x/m/a-$(date)/", 'mkdir -p "/project/project_462000123/m"'),
        (
            "puhti roihu -A x -p small -c 4 --mem=24G -a 1-99 --gres=nvme:20",
            "ls $LOCAL_SCRATCH",
            "directory for each task",
        ),
        ("arc4 aire", "#$ -t 1-99\n#$ -tc 50\n#$ -pe smp 2\n#$ -l disk=10G\nls $TMPDIR", "50 of the array's", "%50%"),
        ("puhti roihu", "a-get b/c.tar", "the option `--ignore-checksum`"),
        ("lumi roihu -p small-g -A x --gpus=1 -c 7", "OMP_NUM_THREADS=7 ./a", "uses 7 of the 72 cores that each task"),
        (f"kestrel lumi {GPU}", "ml mamba\nmamba activate e\npython t.py", "conda and pip install PyTorch for NVIDIA"),
        (
            "rivanna aire",
            "nextflow run a -profile apptainer,uva",
            "`-profile apptainer,uva` may name a profile for Riv",
        ),
        ("rivanna aire", "nextflow run a -profile singularity,test_full", "", "may name a profile"),
        (f"fir lumi {GPU}", "nvcc a.cu\nsrun ./a.out", "Programs compiled for NVIDIA GPUs"),
        ("mahti roihu", "export OMPI_MCA_io=romio321\na", "\n# export OMPI_MCA_io=romio321\n"),
        ("narval fir", "export OMPI_MCA_io=romio321\na", "\nexport OMPI_MCA_io=romio321\n"),
        ("mahti roihu", "mkdir -p $T/bin\nexport PATH=$T/bin:$PATH\na", "", "depends on"),
        ("arc4 aire", ". /nobackup/b/c.sh\nls /nobackup/$USER", "`/nobackup/b` is not your", "$SCRATCH/b"),
        ("arc4 aire", "ls /nobackup/projects/b", "`/nobackup/projects` is not your", "$SCRATCH/b"),
        ("swift kestrel -A x -p standard -N 2", "sbatch -p standard a.sh", "Swift. If it is this", "=shared"),
        ("vermilion kestrel -A x -p gpu -t 2-0", "sbatch -p gpu a.sh", "sbatch, remove `-p gpu`, w", "gpu-h100s"),
        (f"vermilion kestrel {GPU}", "ml lammps\nsrun ~/lmp -k on g 1 -sf kk", "/lmp -k on g 1 -sf kk", "GPU package"),
        (f"mahti lumi {GPU} -p gpusmall", "ml pytorch\nvllm serve m", "`vllm serve` runs outside"),
        ("mahti roihu -A x -N 2 --gres=gpu:a100:4", "vllm serve m --tensor-parallel-size 8", "among 8 GPUs"),
        ("graham nibi -A def-x -N 4 --ntasks-per-node=32 --mem=0", "srun ./a", "4 nodes of Graham had tog"),
        ("rivanna lumi -A x -p standard", "ml R/4.3.1\nml cmake", "\nml buildtools\n", "CrayEnv"),
        (f"narval roihu {GPU}", ENV.replace(" x", " jax") + "python a.py", "\nmodule load python-jax\n"),
        ("arc4 aire", "cp $SGE_STDOUT_PATH a", "`$SGE_STDOUT_PATH` is a variable of Grid"),
        ("arc4 aire", "T=$(mktemp -d -p /nobackup/$USER/t)", 'mkdir -p "$SCRATCH/t"\nT='),
        (f"cedar fir {GPU}", "ml python/3.8\n. ~/ENV/bin/activate", "`~/ENV` was built with python/3.8"),
        ("mahti roihu", "python - <<E\nos.environ['LOCAL_SCRATCH']\nE", "Roihu does not set `LOCAL_SC"),
        ("mahti roihu", "export PATH=/scratch/a/b_conda/bin:$PATH\na", "`/scratch/a/b_conda` is an env"),
        (
            "beluga trillium",
            "tar cf ~/nearline/a.tar b",
            "nearline storage is HPSS",
            "can only",
            "login node.",
            "exists",
        ),
        ("swift kestrel -A x --tmp=100G", "a.py --threads 64", "uses only 64 of the 104 cores"),
        # What the script does not say.
        ("arc4 aire", "./a > b/$JOB_NAME.o$JOB_ID", "", "Grid Engine's output"),
        ("puhti fir -A x -p small", "while getopts a: o; do ls $OPTARG; done", "", "$OPTARG` is not set"),
        ("arc4 aire", "ml openfoam/8\nsource $WM_PROJECT_DIR/etc/bashrc", "", "WM_PROJECT_DIR"),
        ("lumi roihu", "ls '$P'/venv/bin \"${P}\"/a/b $(pwd)/c/d", "", "is a path on"),
        ("lumi roihu -A project_462000001", "a /flash/$SLURM_JOB_ACCOUNT /scratch/$SLURM_JOB_ACCOUNT", "50 TB", "2 TB"),
        ("rivanna fir -A x -o /home/me/a", "./a", "-o /home/%u/a\n"),
        ("lumi roihu", "ls x # in /foo/bar", "", "/foo/bar"),
        ("rivanna nibi -A ml", "./mine -a ml", "./mine -a ml\n"),
        ("lumi roihu", "pip install --constraint a.txt x", "", "this feature"),
        ("narval fir -A x --gpus-per-node=a100:1", "srun --gpus=a100:1 ./t --gpus=all", "--gpus=1 ./t --gpus=all"),
        # Results that are files, and what only the old system's nodes have.
        ("arc4 aire", RESULT, '\n  mkdir -p "$(dirname "$OUT")"\n  cp', 'mkdir -p "$OUT"'),
        ("arc4 aire", "mkdir -p /nobackup/$USER/{b,c}\nmv a /nobackup/$USER/c", "mv a $SCRATCH/c", "exist"),
        ("arc4 aire", "mv a /nobackup/$USER/b/$JOB_ID", '\nmkdir -p "$SCRATCH/b"\nmv a'),
        ("arc4 lumi", INTEL, "`-xCORE-AVX512` is for Intel processors only", "-m venv"),
        ("arc4 lumi", INTEL, "`./a` depends on ARC4's libraries"),
        ("nibi lumi", "make F='-O3 -qmkl -qopenmp'", "accept `-qmkl`, `-qopenmp`, and we know none on LUMI"),
        ("nibi kestrel", "make F='-O3 -qmkl'", "", "Only Intel"),
        ("nibi lumi", "./a -qmkl; make F='-fopenmp -fp-models'", "", "Only Intel"),
        ("graham trillium", f"{INTEL} -xHost", "only, but nodes of Trillium have AMD EPYC 9655"),
        ("beluga trillium", "if a; then make F='-O3 -xCORE-AVX512'; fi", "`-xCORE-AVX512` is for Intel", "-m venv"),
        ("graham trillium", "# g++ -march=native a.cc\n./a", "`-march=native` is for the processors", "Intel"),
        ("mahti lumi", "# -march=cascadelake\nsrun ./a", "`cascadelake` is for AVX-512", "Intel processors"),
        ("graham trillium -A def-x -N 8 --ntasks-per-node=32 --mem=0", "srun ./a", "gets all", "at most 749G"),
        ("kestrel swift", "dask worker --interface hsn0 -n 8", "\ndask worker -n 8", "of Kestrel's nodes"),
        ("kestrel swift", "I=hsn0", "`hsn0` is a network interface of Kestrel's nodes", "removed"),
        ("vermilion kestrel", "I=ens7\ndask scheduler --interface $I", "\nI=hsn0\n", "`ens7` is"),
        ("rivanna lumi --gpus=a100:1", "a $CUDA_VISIBLE_DEVICES", "\na $ROCR_VISIBLE_DEVICES\n"),
        ("rivanna lumi --gpus=1", "CUDA_VISIBLE_DEVICES=0\na $CUDA_VISIBLE_DEVICES", "$CUDA_V", "Slurm sets"),
        (
            "puhti fir -A x --gres=nvme:9",
            "cp a $LOCAL_SCRATCH && a-put b",
            "`a-put b` copies files to Allas, but",
            "command of",
        ),
        ("puhti aire", "a-get -p x b/c", "and replace the command with a `cp` from there.", "command of Puhti"),
        ("puhti rivanna", "cd $LOCAL_SCRATCH\na-put b", "deletes `/scratch/$USER/$SLURM_JOB_ID`.", "Remove it"),
        ("puhti lumi", "a-put b", "Run `module load Local-CSC allas` and `allas-conf` there", "command of"),
        ("beluga fir -A x", "scp a me@beluga.computecanada.ca:", "Copy to or from a directory of Fir instead"),
        (
            "kestrel fir -A x",
            "a <<E\n/file/read-case /projects/x/a\n/exit yes\nE",
            "/project/def-myself/a",
            "is a path",
        ),
        (
            "kestrel fir -A x",
            "a <<E\n/run/initialize\n/gps/particle e-\n/nopt/b/c.d\nE",
            "`/nopt/b/c.d` is a path on",
            "/run",
        ),
        ("kestrel fir -A x", "cat > a <<E\n/nopt/b/c\n/nopt/b/d\nE", "`/nopt/b/c` is a path on", "b/d` exists"),
        (
            "kestrel fir -A x",
            "b=${b:-/projects/x/a}\nicc -I/projects/x/c",
            "def-myself/a}\nicc -I/project/def-myself/c",
        ),
        ("kestrel fir -A x", "b=${b:-/nopt/x/a}", "`/nopt/x/a` is a path on Kestrel", "/a}`"),
        ("arc4 aire", "P=/nobackup/$USER\nmkdir -p $P/{a,b}\n./c > $P/b/d", "mkdir -p $P/{a,b}\n./c", "may not exist"),
        ("puhti roihu", "ml allas\na-put a", "and `allas-conf` there before the job", "command of"),
        ("arc4 aire", "a <<< \"getenv('TMPDIR')\"", "", "does not set `TMPDIR`"),
        ("puhti lumi", "P=~/p\ntar xf '\"$P\"'/data/a.tar", "", "`/data/a.tar`"),
        ("swift kestrel", "if [ a.c -nt a ]; then make clean a; fi", "` may build nothing, because"),
        ("swift kestrel", "git clone x\nmake C=-march=znver2", "znver2` is for AMD", "build nothing"),
        ("rivanna lumi --gpus=a100:1", 'G="apptainer run ~/a/b.sif gmx"\n$G mdrun', "", "depends on"),
        ("graham nibi -A def-x -c 32", "JULIA_EXCLUSIVE=1 julia a", "`JULIA_EXCLUSIVE=1` binds"),
        ("graham nibi -A def-x -c 192 --exclusive", "JULIA_EXCLUSIVE=1 julia a", "", "binds threads"),
        (f"narval lumi {A100}", "torchrun a\n. $SLURM_TMPDIR/e/bin/activate", "is created in each job", "Create it"),
        (f"narval lumi {A100}", ". ~/e/bin/activate\npython lightning.py", "AMD GPUs is in LUMI's container"),
        (
            f"narval lumi {A100}",
            ". ~/e/bin/activate\ntorchrun a",
            '"$image" ~/e/bin/python3 -m torch.distributed.run a',
        ),
        (
            f"narval lumi {A100}",
            ". ~/e/bin/activate\ntorchrun a",
            "-m venv --system-site-packages ~/e`",
            "convolutions",
        ),
        (f"narval lumi {A100}", ". ~/e/bin/activate\npython jax.py", "Write `module load Local-CSC jax` in place"),
        ("narval lumi --gpus-per-node=a100:4", "torchrun a.py", "MIOPEN_CUSTOM_CACHE_DIR=$MIOPEN_USER_DB_PATH` before"),
        ("narval lumi --gpus-per-node=a100:4", "vllm serve llama", "", "MIOPEN"),
        (
            "narval lumi -N 2 --gpus-per-node=a100:4",
            "cp a $SLURM_TMPDIR",
            "trap 'srun --overlap --ntasks-per-node=1 rm",
        ),
        ("roihu lumi -A x", "./a\ncp $TMPDIR/b .", 'EXIT\nexport TMPDIR="/tmp/$SLURM_JOB_ID"\n'),
        ("narval lumi", "export TMPDIR=$SCRATCH/t", 'mkdir -p "/scratch/project_462000123/$USER/t"\nexport TMPDIR='),
        ("puhti lumi -A x -n 8", "orterun -np 8 ./a", "\nsrun ./a\n"),
        (
            "puhti lumi -A x",
            "rclone copy a allas:b",
            "Run `module load Local-CSC allas` and `allas-conf` on LUMI",
            "rclone config",
        ),
        ("narval lumi -A def-x", "a -B $A_DATA:/data", "`$A_DATA` is not set in this script"),
        ("fir lumi -A def-x -N 1 -n 7 -c 20 --mem=300G", "srun ./a", "--nodes=2"),
        (
            "puhti roihu -A x -p large -N 7 --ntasks-per-node=1 -c 40",
            "srun ./a",
            "--nodes=2 --ntasks=7 --ntasks-per-node=4`",
        ),
        ("narval lumi", "nextflow run a -profile singularity,alliance_canada", "alliance_canada` is for Narval."),
        ("narval fir", "nextflow run a -profile singularity,alliance_canada", "", "is for Narval"),
        (
            f"narval lumi {A100}",
            ". ~/e/bin/activate\npip list\naccelerate launch a",
            "~/e/bin/python3 -m accelerate.commands.launch a",
        ),
        (
            f"narval lumi {A100}",
            ". ~/e/bin/activate\ntorchrun a\nray start --head",
            'Directly before its name, write: singularity run "$image" ~/e/bin/',
        ),
        (
            "kestrel lumi -p gpu-h100 --gpus=h100:1",
            "conda activate e\npython torch.py",
            "If its Python lacks a package, create an env",
        ),
        ("mahti roihu", "cp /scratch/project_2009999/a .", "keep to Allas.", "a project's storage"),
        ("swift kestrel", "cp ~/a .", "omit hidden files, which are for Swift."),
        ("swift kestrel", ". ~/.bashrc\nexport K=$(cat ~/.key) C=$HOME/.cache/a", "for Swift, except `~/.key`."),
        (DAYS, "python a.py --save_steps 500", "First make the program restart from what it saves.", "save its"),
        ("swift lumi", "dask scheduler --interface ib0 &", "\ndask scheduler --interface hsn0 &\n", "ib0` is"),
        ("puhti roihu -A x -p hugemem --mem=2000G --mail-type=END", "./a", "For 2000G, request 43 cores."),
        ("puhti roihu -A x --mail-type=END", "./a", "Roihu sends no email yet, so `--mail-type` has no effect."),
        (f"puhti lumi {V100}", LORA, "/venvs/lora/bin/python3", "If `sft.py` came"),
        (f"puhti lumi {V100} --requeue", f"{LORA}# Lightning", "Lightning requeues", "`compgen`"),
        ("beluga trillium -A def-x -t 48:0:0", FOAM, "--array=1-2%1", "overwrites what"),
        ("kestrel lumi", "dask worker --interface hsn0 -n 8", "--interface hsn0 -n 8", "hsn0` is"),
        ("rivanna lumi", BOUND, "-B $T:/data -B /scratch/project_462000123/$USER a", "`/data/x`"),
        ("kestrel fir", "cp -r a/*.nc b /projects/x/r", '\nmkdir -p "/project/def-myself/r"\ncp'),
        ("beluga rorqual", "cp a.bam $SCRATCH/b/", '\nmkdir -p "$SCRATCH/b"\ncp'),
        ("trillium fir -A def-x -N 1", "source /scinet/vast/etc/vastpreload-openmpi.bash", "Remove the line", "exis"),
        ("aire lumi -p gpu --gres=gpu:1", "srun ray start --head --block &", "HIP_VISIBLE_DEVICES=$ROCR"),
        ("aire lumi -p gpu --gres=gpu:3 -c 24", "a --cpus-per-trial 8", "`--cpus-per-trial 8` to 7"),
        ("rivanna kestrel -A x -p parallel -N 4 --mem=360G", "dask worker --d /tmp/a", "/tmp is memory", "has 240G"),
        ("fir trillium", "S=~/projects/def-x/a\ncat b > $S/c", "S=$SCRATCH/def-x/a"),
        ("trillium fir", 'ssh tri-login01 "cd a && sbatch b"', "Write the command without ssh"),
        ("mahti lumi", "ml hyperqueue allas\nhq $HQ_A", "ml Local-CSC hyperqueue allas\n", "not set"),
        ("kestrel fir", "conda activate /projects/x/e\npython a.py", "again on Fir.", "in `/project"),
        ("arc4 nibi", "#$ -l coproc_v100=1\ngmx mdrun -ntomp 10", "mdrun -ntomp 6\n", "Change"),
        ("fir lumi -A x -n 4", "ml netcdf-mpi pnetcdf", "5-parallel cray-netcdf-hdf5parallel cray-p", "Search"),
        ("lumi fir -A x", "export SINGULARITY_BIND=/project,/projappl", "BIND=/project\n"),
        ("lumi fir -A x", "export FI_CXI_A=1", "# export FI_CXI_A=1"),
        ("narval lumi", "cp a /scratch/me/b/", '/$USER/b"\ncp'),
        ("narval fir -A x --gpus=a100_4g.20gb:1", "./a", "from an NVIDIA A100 SXM4 slice with 20 GB"),
        ("puhti lumi", "nextflow run a -profile x,apptainer", "-profile x,singularity\n", "is for Puhti"),
        ("trillium lumi -A x", 'ssh tri01 "sbatch b.sh"', "without ssh, because jobs on LUMI can"),
        ("narval lumi", "ml fftw-mpi", "ml cray-fftw\n"),
        ("trillium lumi -A x", "source /scinet/a/b.sh", "`/scinet/a/b.sh` is a path", "did not read"),
        ("kestrel lumi", "./a /scratch/$USER/b", '\nmkdir -p "/scratch/project_462000123/$USER"\n./a'),
        ("rivanna fir", "apptainer exec --pwd /app/x a.sif ./a", "", "`/app/x`"),
        ("kestrel fir", "export NCCL_NIC=a\nexport NCCL_NET=b", "`NCCL_NIC=a` and `NCCL_NET=b` are"),
        ("mahti lumi", "export NCCL_SOCKET_IFNAME=ib0", "\nexport NCCL_SOCKET_IFNAME=hsn\n", "so the script"),
        ("mahti lumi", "csc-workspaces", "Write `lumi-workspaces` on LUMI"),
        ("mahti lumi", "ml cray-mpich/8.1 cmake", "ml CrayEnv buildtools cray-mpich\n", "We know no"),
        (f"mahti lumi {A100}", "module load vasp-gpu/6", "No version of VASP runs on the GPUs of LUMI, so", "conda"),
        (f"mahti lumi {A100}", "ml vasp", "128 cores and 224G of memory, so lower `--mem` if", "TB/s"),
        (f"mahti lumi {A100}", "ml vasp\ncat <<E\nKPAR = 2\nE", "The input's `KPAR` suits GPUs, so choose it again"),
        (f"mahti lumi {A100}", "ml vasp\nsrun vasp_std", "One CPU node usually needs much longer than", "suits"),
        (f"kestrel nibi {H100}", "module load vasp/6", "We know only builds of VASP for CPUs on Nibi.", "search"),
        ("mahti lumi", "source /projappl/project_2009999/e/bin/activate", "in `/project/project_462"),
        (f"puhti lumi {NVME}", "relion --scratch_dir $LOCAL_SCRATCH", "RELION copies the particles", "know of no"),
        ("narval nibi", "lfs setstripe -c 4 $SCRATCH", "but Nibi's file system is VAST."),
        ("narval trillium -A def-x -n 4", "module load hdf5-mpi\nsrun ./a", "vastpreload-openmpi.bash`, or"),
        ("rivanna lumi", BOUND, "`/x/y` is a path on Rivanna/Afton"),
        ("rivanna lumi", "apptainer exec --mount src=/a,dst=/b/c x.sif /b/c/d", "", "`/b/c"),
        (f"narval lumi {A100}", VENV, "singularity-bindings", "bash -c"),
        (f"narval lumi {A100}", f"cat > a.sh <<'E'\n{VENV}\n./a\nE", "python3 -m venv e &&", "Remove it."),
        (f"narval lumi {A100}", f"{VENV[:-1]}\n./a'", "create the environment on PyTorch in LUMI's container"),
        ("arc4 aire", "# qsub a.sh\n#$ -o a.out\n./a", "#SBATCH --open-mode=append"),
        ("arc4 lumi", "#$ -pe ib 80\nmodule load hdf5\nmpirun ./a", "load cray-hdf5-parallel"),
        ("arc4 lumi", "#$ -pe ib 80\nmpirun -np $NSLOTS ./a", "\nsrun ./a", "--ntasks=$"),
        ("fir lumi -A def-x -n 9", "mpiexec -n 4 ./a", "\nsrun --ntasks=4 ./a"),
        (
            "roihu lumi -A x -p gpumedium --gres=gpu:gh200:1",
            "export CUDA_MPS_PIPE_DIRECTORY=$TMPDIR/m\nif true; then\n  nvidia-cuda-mps-control -d\nfi",
            "\n# export CUDA_MPS_PIPE_DIRECTORY=$TMPDIR/m\nif true; then :\n# nvidia-cuda-mps-control -d\nfi",
            "Remove its",
        ),
        (
            "narval roihu",
            "if a; then  # b\n export UCX_TLS=rc\nfi\n(\n export UCX_TLS=rc\n)\na && \\\n export UCX_TLS=rc\n./b",
            "if a; then :  # b\n# export UCX_TLS=rc\nfi\n( :\n# export UCX_TLS=rc\n)\na && :\n# export UCX_TLS=rc\n./b",
        ),
        ("narval roihu", "cat > a.json <<E\n{\n}\nE", "\n{\n}\nE"),
        (
            f"narval roihu {A100}",
            "[ -d e ] || virtualenv e || { echo no; exit 1; }\n. e/bin/activate; mkdir a; python -c 'b; c' # TMPDIR",
            "pytorch/2.10\nmkdir a; python -c 'b; c'",
            " e ]",
        ),
        ("narval lumi", "source activate e; ./a", "`e` is an environment"),
        ("arc4 lumi", "#$ -t 1-250\n#$ -tc 30\n./a", "#SBATCH --array=1-220%30\n"),
        ("beluga rorqual", "# virtualenv in the local disk\n./a", "", "`in` is"),
        ("mahti roihu", "export WM_X=1\nls $WM_PROJECT_DIR", "`$WM_PROJECT_DIR` is not set"),
        (
            "lumi roihu -A project_465000001",
            "ls /projappl/project_465000001/a",
            "(`/projappl/p",
            "ppl/project_465000001/a\n",
        ),
        ("rivanna fir", IMAGE, "pytorch/2 loaded Rivanna/Afton's software", "name on Fir"),
        ("rivanna fir", IMAGE, "replace the path", "not set"),
        ("graham nibi", "cp a /home/$USER/projects/def-x/", "", "quota of /home"),
        ("swift kestrel", "ls /projects/x /scratch/$USER", "files (`/projects/x`)."),
        ("arc4 aire", "#$ -l disk=4G\n./a", "has local disk without a request", "--tmp"),
        ("arc4 aire", "ml R", "Write `r_environment.yml` first: it lists the packages, and names"),
        ("arc4 aire", "#$ -t 1-9\nqsub -hold_jid a b.sh x", "this job is `$SLURM_ARRAY_JOB_ID`"),
        ("arc4 aire", "#$ -l node_type=40core-768G -l h_vmem=18G -pe smp 20\n./a", "--mem=360G", "nothing like"),
        ("narval rivanna -A def-x --gpus=a100_3g.20gb:1 -c 4", "./a", "2 cores per job with this GPU, but"),
        ("lumi rivanna -A x", "ml cray-R\nsingularity exec a b", "load goolf R\nmodule load apptainer\n"),
        ("rivanna trillium -A x", "ml gcc orca\norca a", "ml StdEnv/2023 gcc"),
        ("lumi fir -A x -n 8", "ml gromacs\nsrun gmx_mpi mdrun", "srun gmx_mpi mdrun", "starts with `gmx`"),
        ("arc4 aire", "mv a.sh.o* b/", "`a.sh.o*` is a file of Grid Engine's output. Slurm wr"),
        ("arc4 aire", "source activate base\npython a.py", "`base` on Aire may lack", "Create it again"),
        ("puhti roihu", "ml hpcx-mpi/2\nml gromacs/2020\ngmx mdrun", "gromacs-env", "hpcx-mpi"),
        ("kestrel swift", "P=/home/w/.conda-envs/m/bin/python3\n$P a", "envs/m` is an environment on"),
        ("arc4 rivanna", "fluent 3d -t8 -pinfiniband -g", "\nfluent 3d -t8 -g\n"),
        ("cedar fir --gpus=p100:4 -c 24", "namd2 +p24 a.namd", "`+p24` uses 24 of the"),
        ("beluga rorqual", "ml python/3.8 cuda/11.0", "python/3.8 belongs to an older", "these versions"),
        ("nibi kestrel", "ln -s ~/projects/def-x/a .", "ln -s /projects/myproject/a .", "in your home"),
        ("aire narval", "snakemake --executor slurm -j 9", "Write `slurm_account=ACCOUNT_cpu`"),
        ("rivanna fir -A q", "snakemake --slurm --default-resources slurm_account=q", "slurm_account=def-myself_cpu"),
        ("narval fir", "snakemake --slurm --default-resources slurm_account=def-x_gpu", "", "Snakemake requires"),
        (
            "rivanna nibi -A x -p gpu --gres=gpu:h200:8",
            "./a",
            "We do not know the old GPU, `h200`. The new",
            "least as",
        ),
        ("fir kestrel -A x -n 8", "ml openmpi\nmpirun ./a", "ml openmpi/5.0.3-gcc\n", "no module that has"),
        ("arc4 aire", "cp a /nobackup/sc$USER/b", "cp a $SCRATCH/b"),
        ("graham fir", "tar cf /home/$USER/scratch/a.tar b", "", "may not exist"),
        ("nibi rivanna", CONFIG.format("cpus = 2; scratch = '$SLURM_TMPDIR'"), "cpus = 2; scratch = false\n"),
        ("rivanna narval", "ollama pull a", "Narval have no internet"),
        ("beluga lumi", "export CIME_MACHINE=beluga", "`CIME_MACHINE=beluga` names Béluga."),
        ("trillium aire -N 1", "matlab -batch 'parpool(c,190)'", "Change `parpool(c,190)`, because"),
        (f"nibi aire {GPU} -c 14", "lmp -k on g 1 t 14 -sf kk", "lmp -k on g 1 t 8 -sf kk"),
        (
            "cedar lumi",
            "# the data set, 120 GB\ncp /project/def-x/a /scratch/me/",
            "Put what is larger into /scratch/project_4",
        ),
        (
            "narval kestrel -A x -N 1 --exclusive --mem=238G",
            "srun ./a",
            "238G of memory, as before. If it needs",
            "as a node",
        ),
        ("trillium nibi -p compute -N 4", "./a", "--cpus-per-task=192\n", "have GPUs"),
        (f"fir rivanna {GPU}", ". $SLURM_TMPDIR/e/bin/activate", ". /scratch/$USER/$SLURM_JOB_ID/e/bin/activate\n"),
        ("nibi trillium", "./a --m ~/m/p --cache ~/.cache/x", "can only read `~/.cache/x`"),
        ("trillium fir --gpus-per-node=4 --ntasks-per-node=4", "srun gmx_mpi mdrun -ntomp 24", "mdrun -ntomp 12\n"),
        ("aire kestrel", "cd /mnt/scratch/users/$USER/a", "cd /scratch/$USER/a\n"),
        ("fir trillium -A def-x -c 16", "matlab -batch 'parpool(16)'", "A pool of MATLAB stores files in `~/.matlab`"),
        (
            "rivanna trillium",
            "apptainer run -B /project/a/b:/d:ro,/project/a/c:/o x.sif",
            "only read `$PROJECT/c`",
            "/b:",
        ),
        ("arc4 nibi", "nextflow run a -process.executor sge", "executor sge` submits jobs to Grid Engine."),
        ("trillium narval --gpus-per-node=4", "OMP_NUM_THREADS=24 mpirun -np 4 ./a", "NUM_THREADS=12 mpirun", "not 96"),
        # Packages without PyTorch need none of its software.
        (
            "narval rivanna",
            "ml mpi4py/3 scipy-stack\n" + ENV + "python a.py",
            "It needs x, mpi4py, numpy,",
            "spider",
            ".sif",
        ),
        (f"narval aire {A100}", ENV + "python a.py", 'PATH="$HOME/env/bin:$PATH"', "pytorch-gpu"),
        ("fir trillium", "K=$(cat ~/.key)\na --key $K", "", "can only read"),
        ("rivanna trillium -A x -p gpu --gres=gpu:a100:1 -t 3-0", "python a.py --ckpt_path last", "--array=1-3%1"),
        ("narval trillium -A def-x_gpu --gpus-per-node=1", "./a", "--account=def-x\n", "Replace"),
        # GPUs of a node, and nodes: rewritten where that is certain, else named.
        (GCDS, KOKKOS, "-k on g 4 -sf", "Change"),
        (GCDS, f"export CUDA_VISIBLE_DEVICES=$SLURM_LOCALID\n{KOKKOS}", "-k on g 1 -sf", "Change"),
        (GCDS, f"srun --gpu-bind=closest a\n{KOKKOS}", "srun a\n", "Change"),
        (GCDS, "a trainer.devices=8 trainer.num_nodes=2", "a trainer.devices=4 trainer.num_nodes=4", "Change"),
        (GCDS, "export CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7", "Slurm sets this variable to", "Change"),
        (GCDS, "X=1 CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7 ./a", "DEVICES=0,1,2,3 ./a\n", "Change"),
        ("puhti nibi", "ml r-env\nRscript a.R", "install the R packages that the scripts load, in R on Nibi. Puhti's"),
        ("mahti trillium", "ml openfoam/v2406\n. $FOAM_ETC/bashrc", "", "did not read"),
        ("kestrel roihu", "tar xf /projects/x/a.tar -C $TMPDIR", "is 15 GiB and 150,000 files. Copy larger data to"),
        ("puhti aire", "s3cmd put a s3://b", "`s3cmd` needs your keys of the object storage. Create them on Aire."),
        ("lumi kestrel", "srun apptainer exec -B /scratch/project_1,/flash/project_1 a.sif ./a", "-B /scratch/$USER a"),
        ("mahti lumi -A x -p medium -N 4 --ntasks-per-node=64 -c 2", "srun a", "but has 3.5 GiB on LUMI"),
        (GCDS, LOOP, "Change `for i in {0..7}`, because each node"),
        (GCDS, "./a --tp_size 8 --batch 8 --per_gpu_batch 8", "Change `--tp_size 8`, because each node", "batch"),
        (GCDS, "cat > c <<E\nnum_machines: 2\nnum_processes: 16\nE", "Change `num_machines: 2`, because", "16`"),
        # Cores: a number that fitted and does so no longer.
        (CORES, "export X_n_proc_DA=90\n./a --workers 64", f"Change `X_n_proc_DA=90`, {FEWER}", "64`"),
        (CORES, "N=96\n./a -t $N\n./b -p 96 -@ 95 -T 60", f"`N=96`, `-p 96` and `-@ 95`, {FEWER}", "60`"),
        (CORES, "# Pool(80) inside\npython a.py --max_len 90", f"Change `Pool(80)`, {FEWER}", "90`"),
        (FOUR, "torchrun --nproc_per_node=4 t.py --workers 8", "each GPU of the job now has 7", "task now"),
        (FOUR, "torchrun --nproc_per_node=4 t.py --workers 7", "", "Change"),
        # The time that the job had, in any unit.
        (DAYS, "./a --max_time 47h --stop-minutes=2870", "47h` and `--stop-minutes=2870`, because"),
        (DAYS, "cat > a <<E\nmax_seconds = 172000\ntime_step = 172000\nE", "`max_seconds = 172000`, b", "steps"),
        (DAYS, "(sleep 162000; a) &\ntimeout -s INT -k 60 $((47*3600 - 60)) ./a", "`sleep 162000` and `timeout"),
        (DAYS, "W=100000\nsleep $((W - 60))\n[ $SECONDS -gt 90000 ]", "Change `W=100000` and `SECONDS -gt 90000`"),
        (DAYS, "sleep 80000\ntimeout 20h ./a\ngmx mdrun -maxh 23.5 --max-seconds 80000", "", "Change"),
        (DAYS, "gmx mdrun -maxh 40", "Change `-maxh 40`, because the time limit is now 24 hours"),
        # Memory that the old GPU had, and the new one has not.
        (H100_LUMI, "srun ./a amrex.the_arena_init_size=72000000000", "Lower `amrex.the_arena_init_size=72000000000`"),
        (H100_LUMI, "./a --gpu-memory 70GiB --vram=75000", "Lower `--gpu-memory 70GiB`, because a GPU of this job"),
        (H100_LUMI, "./a --max_memory '{0: \"75GiB\"}'", "because a GPU of this job"),
        (H100_LUMI, "./a --gpu-memory 60GB --mem 70G --cache-size=72000000000", "", "Lower"),
        (LUMI_ROIHU, "./a --gpu-memory 60GB", "", "Lower"),
        ("swift kestrel -A x -n 64 --exclusive", "srun ./a", "The new job requests 238G of m", "pay for all"),
        ("puhti roihu -A x -p small", "export TMPDIR=$LOCAL_SCRATCH\na", "Roihu sets the variable itself."),
        (FULL_NODE, "./a --restart # chain\nsbatch a.sh", "cannot submit jobs, so remove `sbatch", "Only"),
        # Steps: a part of the nodes is the reader's, and more processes than tasks share the cores.
        (WHOLE, "srun -N 3 -n 192 --ntasks-per-node=64 ./a &", "divides the 4 nodes of Narval", "match"),
        (GCDS, "srun -N 2 -n 64 --ntasks-per-node=32 ./a", "-n 64 --cpus-per-task=8 --ntasks-per-node=16 ./a"),
        # Full nodes: more cores where pieces of work follow them; the memory, where it decides; no job from a job.
        (FULL_NODE, "parallel -j $SLURM_CPUS_PER_TASK a", "--cpus-per-task=192", "such jobs"),
        (FULL_NODE, "OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK ./a", "follows, if the program is then faster. Or run 6"),
        (NODES, "ls | xargs -P $SLURM_CPUS_PER_TASK a", "--cpus-per-task=66\n", "such jobs"),
        ("swift kestrel -A x -N 4 -n 256 --mem=200G --exclusive", "srun ./a", "use `--nodes=3 --ntasks=256`"),
        ("arc4 aire coproc_v100=2", "mpirun -np 3 ./a", "--ntasks=3\n#SBATCH --cpus-per-task=5\n"),
        ("arc4 aire nodes=4,ppn=40", "mpirun ./a", "fit on one node of Aire, with 168 cores."),
        (LARGE, "srun ./a", "memory, which needs 2 nodes", "fit on"),
        (FULL_NODE, "# sbatch a.sh\n./a\nsbatch a.sh", "", "its own name"),
        (DAYS, "WALL=172000", "Change `WALL=172000`, because"),
        (RAY, "srun -c 40 ray start", "write `--cpus-per-task=104`", "room for"),
        (DAYS, "srun ./a --walltime $((47*60+40))", "Change `--walltime $((47*60+40))`, because the time limit is"),
        (DAYS, "./a --stop-after 47h -b", "Change `--stop-after 47h`, because the time limit is now 24 hours"),
        (DAYS, "srun ./a -r $b -t 47:30:00", "Change `-t 47:30:00`, because the time limit is now 24 hours"),
        (DAYS, "for i in 1 2; do sbatch -t 47:30:00 a; done", "", "Change `-t 47"),
        (DAYS, "./a -t 12:30:00 --stop-after 9h", "", "Change `-"),
        (DAYS, 'python3 - <<E\nc["job_timelimit"] = "47:00:00"\nE', '= "47:00:00"`, because the time limit is now 24'),
        (WEEK, "gmx mdrun -cpi a\nif [ ! -e b ]; then\nsbatch c.sh\nfi", "submit the script once, because", "Only the"),
        # Cores that a comment says a program counts.
        (VIRTUAL, "# Pool(os.cpu_count())\n./a", "counts all 128 cores of a node of Swift, but the job has 60"),
        (VIRTUAL, "# uses all cores\n./a", "--cpus-per-task=60\n", "counts all"),
        ("lumi roihu -A x -p small-g --gpus-per-node=1", "./a", "This is an NVIDIA GPU. Programs in HIP do not run on"),
        ("rivanna kestrel", "ls /standard/x/a", "A project's files have this path on Kestrel."),
        ("aire fir -c 8", "module load miniforge\npython a.py", "Python's module takes the place of conda on Fir."),
        ("fir trillium -A def-x --gpus-per-node=h100:1", f"ml python/3.11 cuda/12.6\n{ENV}a", "ml StdEnv/2023 cuda"),
        ("arc4 aire", "#$ -pe smp 32\nmpirun -np $NSLOTS a", "--cpus-per-task=1\n"),
        ("trillium aire -A def-x -N 1 --gpus-per-node=4", f"A=2 torchrun {ALONE}", "\nA=2 srun torchrun --nnodes="),
        ("trillium aire -A def-x -N 1 --gpus-per-node=4", f"A=2 python -m {RUN}", f"A=2 srun python -m {RUN[:21]} --n"),
        ("rivanna aire", "ml gcc R star", 'gcc/14.2.0 && export PATH="$HOME/.conda/envs/r/bin:$PATH"; module load'),
        ("mahti roihu -A x", "ml gcc/14.2.0\nml cp2k/2025.1", "The line that loads the application loads these, too."),
        ("vermilion kestrel -A x -n 60", "ml vasp intel-oneapi-mpi\nmpirun -np 60 vasp_std", "\nsrun vasp_std\n"),
        ("swift kestrel -A x -n 60", "ml vasp openmpi\nmpirun -np 60 vasp_std", "\nsrun vasp_std\n"),
        ("swift kestrel", "ml gcc\nml vasp", "The application's module on Kestrel does not need these.", "loads these"),
        (f"fir lumi {GPU}", "T(tf32=True)", "`tf32=True`: Hugging Face's Trainer ends with an error"),
        (f"rivanna lumi {A100}", "apptainer run --nv a.sif torchrun a", "starts a container for NVIDIA", "may start"),
        (f"rivanna lumi {A100}", "apptainer run --nv a.sif torchrun a", "it with `singularity run`.", "fir"),
        (f"rivanna lumi {A100}", IMAGE, "because only Rivanna/Afton sets `$CONTAINERDIR`.", "may start"),
        (f"lumi roihu {GPU}", "singularity run /appl/a.sif torchrun a", "or run the program without one", "path on"),
        ("lumi roihu", "module use /appl/x\nml singularity-AI-bindings", "modules of LUMI.", "spider", "path on"),
        (
            "narval lumi",
            "cp -r $SCRATCH/a ~/projects/def-x/$USER/b/",
            '\nmkdir -p "/project/project_462000123/$USER/b"',
        ),
        (
            f"narval lumi {A100}",
            f"ml gcc cuda\n{VENV}\npip install --no-index torch\n./a",
            "does not use these",
            "rocm",
        ),
        ("mahti lumi -A x -p gpumedium -N 2 --gres=gpu:a100:4", "srun ./a", "", "may be enough"),  # 5 GPUs for 8
        ("kestrel swift -A x -p gpu-h100 --gpus=h100:2 --tmp=600000", "cp a $TMPDIR", "", "of local disk"),
        (OF_EIGHT, f"srun torchrun {EIGHT}", ' --nnodes="$SLURM_NNODES" '),
        (OF_EIGHT, "accelerate launch --num_machines 1 --num_processes 8 a.py", "--num_machines 2 --num_processes 8"),
        (OF_EIGHT, f"srun torchrun {EIGHT}", "\nfirst_node="),
        ("fir trillium -A x -c 8 -a 1-999%7", "./a", "24 of the array's tasks"),  # a node has 192 cores
        ("fir trillium -A x -c 8 -a 1-999%7", "./a", "each array task counts"),
        ("fir aire -A x -N 900", "./a", "no partition that accepts"),
    ],
)
def test_what_a_script_names_for_other_jobs_and_programs(row):
    job, body, words, *not_said = row
    case, said = said_of(job, body)
    said += " ".join(each["reason"] for each in case.changes)
    assert words in case.script + said and not any(each in said for each in not_said), said


@pytest.mark.parametrize(("new", "path"), [("kestrel", "/projects/bat/a"), ("lumi", "/project/project_462000123/a")])
def test_a_script_that_submits_has_the_account_of_its_jobs(new, path):
    for job in ("sbatch -A $A j.sh", "sbatch <<E\n#!/bin/bash\n#SBATCH --account=bat --time=60\n./a\nE"):
        case = one("swift", new, f"#!/bin/bash\nA=bat\ncp /projects/bat/a .\n{job}\n")
        assert f"\ncp {path} .\n" in case.script
        assert any("does not have Swift's files (`/projects/bat`)" in each for each in case.impossible)


def test_jobs_leave_a_home_that_takes_none():
    text = "#!/bin/bash\n#SBATCH -A def-x --time=60\n#SBATCH --chdir=/home/me/a\n#SBATCH --output=/home/me/a/%j\n"
    case = one("narval", "fir", f"{text}cat > c <<'E'\nclusterOptions = '--constraint=cascade'\nE\n")
    assert directives(case.script)["chdir"] == "/scratch/me/a" and "--output=/home/me/a/%j\n" in case.script
    said = " ".join(case.impossible)
    assert "Fir rejects jobs from /home" in said and "`--constraint=cascade`: no node of Fir" in said
    assert list(told(case)) == []
    assert list(told(one("cedar", "trillium", text))) == []


INSIDE = """#!/bin/bash
n=$1
sbatch << EOF
#!/bin/bash
#SBATCH --account=def-x --time=60
#SBATCH --array=1-$n
cp 'a\\\\b' "\\$SLURM_TMPDIR/\\$SLURM_ARRAY_TASK_ID"
EOF
"""


def test_a_script_inside_a_script_is_moved():
    case = one("nibi", "rivanna", INSIDE)
    assert "#SBATCH --account=mygroup\n" in case.script and "--array=1-$n\n" in case.script
    assert "cp 'a\\\\b' \"/scratch/\\$USER/\\$SLURM_JOB_ID/\\$SLURM_ARRAY_TASK_ID\"\n" in case.script
    assert case.script.startswith("#!/bin/bash\nn=$1\nsbatch << EOF\n#!/bin/bash\n#SBATCH") and list(told(case)) == []


def test_of_another_language_only_the_options_are_moved():
    text = "#!/bin/tcsh\n#SBATCH -A def-x -t 60\ncp a $SLURM_TMPDIR\n"
    case = one("narval", "lumi", text)
    assert "\ncp a $SLURM_TMPDIR\n" in case.script and "trap" not in case.script
    assert any("is in tcsh" in said for said in case.impossible) and list(told(case)) == []


LAYERS = "-A project_2009999 -p small --gres=nvme:30 -a 1-180%60 -c 4 --mem-per-cpu=6000"
COPY = "cp -r /scratch/project_2009999/l $LOCAL_SCRATCH/\n./a $SLURM_ARRAY_TASK_ID"
TAR = "\ntar xf a -C $LOCAL_SCRATCH"


@pytest.mark.parametrize(
    ("job", "body", "words", "script"),
    [
        # What a comment names does not fit on the disk of this job's nodes, also not together with other tasks'.
        ("puhti roihu -A x", "# 45 GB of tiles" + TAR, "jobs on the node. The script puts 45 GB there", "-C /scratch/"),
        ("puhti roihu -A x", "# 9 GB of tiles" + TAR, "", "-C $TMPDIR"),
        ("puhti roihu -A x", "# 45 GB of memory" + TAR, "", "-C $TMPDIR"),
        ("puhti roihu -A x -a 1-9%4", "# 45 GB of tiles" + TAR, "your other jobs", "-C /scratch/"),
        ("puhti roihu -A x -a 1-9", "# 45 GB of tiles" + TAR, "each of 9 array tasks puts 45 GB", "-C /scratch/"),
        (
            "cedar rorqual -A def-x -c 8 -a 1-99%30",
            "# fastq up to 60 GB per run\ncd $SLURM_TMPDIR",
            "Up to 24 of the array",
            "cd $SLURM_TMPDIR",
        ),
        ("cedar rorqual -A def-x -c 8 -a 1-99%5", "# fastq up to 60 GB per run\ncd $SLURM_TMPDIR", "", "$SLURM_TMPDIR"),
        ("graham rorqual -A def-x -n 8 -N 1", "# files: 60 GB per task\ncp a $SLURM_TMPDIR", "Up to 8 proc", ""),
        ("swift kestrel", "# swap files, 250 GB per node\n\nexport S=$TMPDIR", "", "--tmp=300G"),
        ("swift kestrel", "W=/scratch/$USER/a\ncp b $W\nrm -rf $W", "", "W=/scratch/$USER/a"),
        # A resource brings the disk for it, in a partition that costs more.
        (
            "nibi roihu -A x -c 32 --mem=700G",
            f"# integral files: 2.2 TB\n{IN}",
            "In `small`, it costs",
            "--gres=nvme:2479",
        ),
        ("nibi lumi -A x", f"# integral files: 2.2 TB\n{IN}", "", "mkdir"),
        # Or not in the quota of scratch, in bytes or in files, or not for long.
        ("puhti lumi -A x", "# 3.1 million files\ncd /scratch/project_2001234", "but the script's comments name 3", ""),
        ("lumi roihu -A x", "# corpus: 1,400 GB\ncd /flash/project_462000001/x", "the script needs 1,400 GB there", ""),
        ("puhti roihu -A x", "# 4,5 GB of tiles" + TAR, "", "-C $TMPDIR"),
        ("graham nibi", "# 3.4 TB of pictures\ncd /scratch/$USER", "needs 3.4 TB there. You can use up to 20 TB", ""),
        ("narval nibi", "cd ~/scratch/a", "On Narval, it was 20 TB", ""),
        ("nibi fir", "cd /scratch/$USER", "deletes files in /scratch/$USER that nobody has used for 60 days.", ""),
        (
            "nibi narval",
            "cd $SCRATCH/a",
            "deletes files in /scratch/$USER that nobody has used for 60 days.",
            "$SCRATCH/a",
        ),
        ("rivanna fir", "cp a /standard/x/b; cd /scratch/$USER", "Rivanna/Afton after 90", "/project/def-myself/b"),
        ("vermilion kestrel", "cd /projects/x/y", "Kestrel does not have its files (`/projects/x`)", ""),
        ("beluga rorqual -A rrg-x", "./a", "Otherwise, use your default account", ""),
        ("rivanna nibi -A x", "# 9M files, so we use a tar\ncd /scratch/$USER/a", "it was 10 TB", ""),
        ("fir nibi", "# 9M files\ncd /scratch/$USER/a", "name 9M files. Do not unpack them there", ""),
        # Modules: the version of the script, the ones that pages document, and other programs under one name.
        ("mahti lumi -A x -p medium", "module load lammps/29Aug2024", "", "lammps/29Aug2024-cpu"),
        ("mahti roihu -A x -p medium", "module load lammps/29Aug2024", "no lammps/29Aug2024, but", "lammps/20260211"),
        ("mahti roihu -A x -p medium", "module load cp2k/2025.1", "`module spider cp2k/2025.1`", "load cp2k/2025.1"),
        ("arc4 aire", "module add openfoam/9", "openfoam/v2412 one of openfoam.com", "openfoam/v2412"),
        ("arc4 aire", "module add matlab", "", "module add matlab/R2023a"),
        ("kestrel lumi", "module load PrgEnv-intel cray-hdf5", "no PrgEnv-intel, but PrgEnv-amd", "load cray-hdf5"),
        (f"puhti roihu {LAYERS}", f"# layers, 12 GB\n{COPY}", "Use the files in /scratch/project_2009999 instead", ""),
        ("nibi roihu -A x", "module load orca/6.0.1", "On Roihu: `orca` runs your own copy", "module load orca"),
        ("swift kestrel", "module load gcc openmpi", "`openmpi` is slow", "load gcc openmpi/5.0.3-gcc"),
    ],
)
def test_data_and_versions_are_held_against_what_is_there(job, body, words, script):
    case, said = said_of(job, body)
    assert words in said and script in case.script, (said, case.script)
    assert words or not re.search(r"puts|quota of|array's tasks|no module", said), said


BUILT = """#!/bin/bash
#SBATCH -A def-x --gpus-per-node=h100:1 -t 30
source ~/env/bin/activate
srun ./stencil 10
python train.py
apptainer exec image.sif ./inside
../tools/run.sh
again && sbatch "$SLURM_SUBMIT_DIR/next.sh"
"""


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ("narval", "`./stencil` may have been built for NVIDIA H100 SXM5 only. Rebuild or reinstall it on Narval for"),
        ("rivanna", "`./stencil` depends on Rorqual's libraries. Rebuild or reinstall it on Rivanna/Afton for"),
        ("fir", None),
    ],
)
def test_programs_that_do_not_run_there_must_be_built_again(new, said):
    case = one("rorqual", new, BUILT)
    found = [each for each in case.impossible if "reinstall it" in each]
    assert len(found) == bool(said) and all(each.startswith(said) for each in found)
    assert any("next.sh" in each for each in case.impossible)
