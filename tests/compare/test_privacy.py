"""What ask_cluster.sh writes names nobody: planted names, mails, hosts, accounts and job names are not in it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.compare.asked import SCRIPT, asked

SECRETS = "jdoe jane.doe@example.org nid004711 login17 secretproject my_thesis_run 10.9.8.7 pi_smith".split()
# Answers as a cluster's own, with what must not get out wherever Slurm or a person may have put it.
LOGIN_NODE = Path(__file__).with_name("login_node")
SCHEDULER = ("scontrol", "sinfo", "sacctmgr", "sbatch")


@pytest.fixture
def place(tmp_path):
    """A login node of planted answers, and a job script with private lines."""
    shutil.copytree(LOGIN_NODE, tmp_path / "bin")
    script = tmp_path / "job.sh"
    script.write_text(
        "#!/bin/bash\n#SBATCH --job-name=my_thesis_run --mail-user=jane.doe@example.org\n", encoding="utf-8"
    )
    return tmp_path


def run(place, *words, shell="dash", script=SCRIPT, **variables):
    environment = {
        "PATH": f"{place}/bin:/usr/bin:/bin",
        "HOME": "/home/jdoe",
        "USER": "jdoe",
        "LMOD_CMD": str(place / "bin/lmod"),
    }
    words, given = [shell, script, *words], environment | variables
    done = subprocess.run(words, cwd=place, env=given, capture_output=True, encoding="utf-8", timeout=60)
    return done, next((path.read_text(encoding="utf-8") for path in place.glob("asked-*.txt")), "")


def test_nothing_private_is_written_and_what_is_public_is(place):
    done, text = run(place, "secretproject", "job.sh")
    assert (done.returncode, done.stderr) == (0, "")
    assert [secret for secret in SECRETS if secret in text] == []
    assert "@" not in text and "/home" not in text and str(place) not in text
    for public in ("PartitionName=gpu", "MaxTime=1-00:00:00", "Count=1 ", "Gres=gpu:a100:4", "AvailableFeatures=a100 "):
        assert public in text
    assert "SLURM_VERSION = 25.05.1" in text and "normal|1-00:00:00" in text and "pytorch/2.9" in text
    refused = "job.sh Invalid account or account/partition combination specified"
    assert re.search(rf"^refused [0-9a-f]{{64}} {re.escape(refused)}$", text, re.MULTILINE)


def test_a_twins_answer_names_no_folder_and_no_user():
    text = asked("kestrel")
    assert "/tmp" not in text and "127.0.0.1" not in text and "myproject" not in text and "-00001" not in text


def test_it_says_what_it_could_not_ask_and_ends_where_a_command_hangs(place):
    (place / "bin/sacctmgr").unlink()
    (place / "bin/sinfo").write_text("#!/bin/sh\nsleep 100\n", encoding="utf-8")
    script = SCRIPT.read_text(encoding="utf-8").replace("SECONDS_IN_ALL=30", "SECONDS_IN_ALL=3")
    (place / "short.sh").write_text(script, encoding="utf-8")
    done, text = run(place, "acc", "job.sh", script="short.sh")
    assert "# not asked: sinfo: it ended with status 124" in text
    assert "Could not ask for sinfo: it ended with status 124" in done.stdout
    assert "# not asked: job.sh: no time was left" in text and text.endswith("# end\n")


def test_without_a_scheduler_it_still_writes_a_file_that_says_so(place):
    for name in SCHEDULER:
        (place / "bin" / name).unlink()
    for name in ("date", "mktemp", "awk", "sed", "id", "basename", "cp", "rm", "head"):
        (place / "bin" / name).symlink_to(f"/usr/bin/{name}")
    done, text = run(place, shell="/bin/sh", PATH=str(place / "bin"))
    assert done.returncode == 0 and text.endswith("# end\n") and "## partitions" not in text
    assert "Could not ask for scheduler: no scontrol; run this on a login node\n" in done.stdout


def test_modules_are_found_where_lmod_prints_them(place):
    """On the standard error, or on the standard output where a site has redirected it."""
    for _ in range(2):
        _, text = run(place)
        (modules,) = re.findall(r"(?s)\n## modules: [^\n]*\n(.*?)# ", text)
        assert modules == "pytorch/2.9\n"
        lmod = place / "bin/lmod"
        lmod.write_text(lmod.read_text(encoding="utf-8").replace(" >&2", ""), encoding="utf-8")


def test_a_forgotten_account_is_one_sentence(place):
    done, text = run(place, "job.sh")
    assert (done.returncode, done.stdout, text) == (2, "", "")
    assert done.stderr == "Put an account before the job scripts: sh ask_cluster.sh ACCOUNT job.sh\n"


def test_a_refusal_with_an_apostrophe_is_kept(place):
    sbatch = place / "bin/sbatch"
    words = "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)"
    sbatch.write_text(f'#!/bin/sh\necho "error: Batch job submission failed: {words}" >&2\nexit 1\n', encoding="utf-8")
    _, text = run(place, "acc", "job.sh")
    assert re.search(rf"^refused [0-9a-f]{{64}} job.sh {re.escape(words)}$", text, re.MULTILINE)


@pytest.mark.parametrize("shell", [["dash", "-n"], ["bash", "--posix", "-n"], ["shellcheck", "--shell=sh"]])
def test_it_is_posix_shell(shell):
    assert subprocess.run([*shell, SCRIPT], capture_output=True).returncode == 0


def test_it_asks_this_and_nothing_else(place):
    """It reads: every call of a scheduler's command is one of these."""
    for name in SCHEDULER:
        file = place / "bin" / name
        file.write_text(
            file.read_text(encoding="utf-8").replace("\n", f'\necho "{name} $*" >> {place}/calls\n', 1),
            encoding="utf-8",
        )
    run(place, "secretproject", "job.sh")
    assert (place / "calls").read_text(encoding="utf-8").splitlines() == [
        "scontrol show config",
        "scontrol -o show partition",
        "scontrol -o show node",
        "sinfo -a -e -h -o %P|%a|%l|%L|%s|%h|%D|%X|%Y|%Z|%c|%m|%d|%G",
        "sacctmgr -n -P show qos format=Name,MaxWall,MaxTRES,MaxTRESPU,MaxJobsPU,MaxSubmitPU,MinTRES",
        "sbatch --test-only --account=secretproject job.sh",
    ]
    assert sorted(path.name for path in place.iterdir() if path.suffix == ".txt") == [
        path.name for path in place.glob("asked-roihu-*.txt")
    ]


def test_it_is_short_enough_to_be_read():
    assert SCRIPT.stat().st_size < 10_000 and not re.search(r"\b(curl|wget|ssh|sudo|eval)\b", SCRIPT.read_text("utf-8"))
