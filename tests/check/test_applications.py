"""Ready-made applications: the table's faults are told, and each script passes the check and its twin."""

import re
from dataclasses import asdict
from pathlib import Path

import pytest

from scripts.check.findings import check
from scripts.errors import BadInput
from scripts.evidence.dependencies import APPLICATIONS, judge_of, rests_on
from scripts.evidence.records import Record
from scripts.facts import today
from scripts.facts.applications import FILE, load_applications
from scripts.facts.programs import programs
from scripts.families.applications import scripts
from scripts.paths import ROOT, SNIPPETS
from scripts.tables.applications import overview, section
from scripts.twin.login import write_modules
from tests.clusters import CLUSTERS
from tests.run import program
from tests.twin import kept as twins

TABLE = load_applications(CLUSTERS)
SCRIPTS = scripts(CLUSTERS, TABLE)
SYSTEMS = sorted({name.removesuffix(".sh").rsplit("-", 1)[1] for name in SCRIPTS})
BY_DAY = {"kestrel", "lumi", "roihu"}
RUN_TO_END = {"lumi": "gmx_mpi", "narval": "gmx", "roihu": "gmx_mpi"}
GMX = 'echo "stand-in: ${0##*/} $*, with $OMP_NUM_THREADS threads"'


def application(name):
    return name.rsplit("-", 1)[0].removesuffix("-cpu")


def by_night(systems, day):
    return [pytest.param(each, marks=[] if each in day else pytest.mark.nightly) for each in systems]


@pytest.mark.parametrize("system", by_night(SYSTEMS, BY_DAY))
def test_the_check_and_the_twin_accept_every_script_of_a_system(system, request):
    twins.need_scheduler("slurm")
    own = [
        (str(SNIPPETS / "software" / name), text.encode())
        for name, text in SCRIPTS.items()
        if name.endswith(f"-{system}.sh")
    ]
    reports = [report for of_one in check(CLUSTERS[system], own) for report in of_one]
    assert own and [str(report) for report in reports] == []
    how, known = f"by {twins.version('slurm')} as {CLUSTERS[system].name}", {system: judge_of(CLUSTERS[system])}
    for name, _ in own:
        file = APPLICATIONS / Path(name).name
        record = Record("judged", how, str(today()), rests_on(file, known))
        request.node.user_properties.append(("evidence", [str(file.relative_to(ROOT)), asdict(record)]))


@pytest.mark.parametrize("key", TABLE.applications)
def test_the_words_for_the_gpu_stand_in_its_scripts(key):
    written = " ".join(" ".join(text for name, text in SCRIPTS.items() if application(name) == key).split())
    assert [flag.words for flag in TABLE.applications[key].flags if flag.words not in written] == []


@pytest.mark.runs
@pytest.mark.parametrize("system", by_night(RUN_TO_END, {"roihu"}))
def test_gromacs_runs_to_its_end_with_a_stand_in_for_gmx(system, tmp_path):
    name = f"gromacs-{system}.sh"
    script, gmx = tmp_path / name, tmp_path / "bin" / RUN_TO_END[system]
    script.write_text(SCRIPTS[name], encoding="utf-8")
    program(gmx, GMX)
    twin = twins.twin(CLUSTERS[system])
    assert twin.judge(script).returncode == 0
    names = " ".join(re.findall(r"^module load (.+)$", SCRIPTS[name], re.MULTILINE)).split()
    write_modules(twin.folder / "modules", names)
    (twin.folder / "modules" / f"{names[-1]}.lua").write_text(f'prepend_path("PATH", "{gmx.parent}")\n', "utf-8")
    done = twin.run_to_end(script, tmp_path)
    printed = "".join(path.read_text(encoding="utf-8") for path in tmp_path.glob("*.out"))
    assert done.returncode == 0, done.stderr + printed
    cores = CLUSTERS[system].gpus[next(iter(CLUSTERS[system].gpus))].fair_share.cores
    assert f"mdrun -s topol.tpr -cpi state.cpt -maxh 3.9 -ntomp {cores} -nb gpu" in printed
    assert f"with {cores} threads" in printed


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_starts_a_program_that_the_check_knows_with_an_option_for_the_gpu(name):
    one = TABLE.applications[application(name)]
    known = [each for each in programs() if each.name in one.programs]
    text = SCRIPTS[name].replace("\\\n", " ")
    assert any(start.split()[-1] in text for each in known for start in each.starts)
    words = [each.gpu for each in known if isinstance(each.gpu, list)]
    assert all(any(word in re.sub(" +", " ", text) for word in of_one) for of_one in words)


@pytest.mark.parametrize("key", TABLE.applications)
def test_a_section_has_every_system_once_and_the_sources(key):
    one = TABLE.applications[key]
    text = section(key, one, CLUSTERS, SCRIPTS)
    cells = [
        name for line in text.splitlines() if line.startswith("| ") for name in line.split(" | ")[0][2:].split(", ")
    ]
    assert sorted(name for name in cells if name in {each.name for each in CLUSTERS.values()}) == sorted(
        each.name for each in CLUSTERS.values() if each.running
    )
    assert all(address in text for address in [one.log_source, *one.sources, *(each.source for each in one.systems)])
    mine = [name for name in SCRIPTS if application(name) == key]
    assert all(f"/made/applications/{name})" in text or f'title="{name}"' in text for name in mine)  # shown, or linked
    assert f"[{one.name}](#{key})" in overview(CLUSTERS, TABLE)
    on_cpus = {name for each in one.systems if each.cpu or each.state == "cpu" for name in each.on}
    assert one.cpu_start in text and all(f"/clusters/{name}.md#without-a-gpu)" in text for name in on_cpus)


FAULTS = [
    ("programs: [VASP]", "programs: [VASPP]", "programs.yml has no `VASPP`. Did you mean `VASP`?"),
    ("undocumented: [aire, kestrel, swift]", "undocumented: [aire, kestrel]", "GROMACS does not name swift. Add"),
    ("undocumented: [swift]", "undocumented: [swift, aire]", "NAMD names `aire` twice. Remove one of them."),
    ("undocumented: [aire]\n", "undocumented: [aire, mahti]\n", "no system in service is called `mahti`."),
    ("        load: [module load gromacs-env]\n", "", "`load` is missing. Write the lines that load it"),
    ("        load: [module load lammps/20260211]\n", "", "`load` is missing. Write the lines that load it"),
    ("        load: [module load gromacs-env]\n", "        loads: []\n", "gromacs.systems.0.loads` is not a key"),
    ("state: own\n", "state: mine\n", "state`: Input should be 'gpu', 'cpu', 'own' or 'ask'"),
]


@pytest.mark.parametrize("old, new, told", FAULTS)
def test_a_fault_is_told_with_its_line(old, new, told, tmp_path):
    text = FILE.read_text(encoding="utf-8")
    file = tmp_path / "applications.yml"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadInput) as fault:
        load_applications(CLUSTERS, file)
    assert re.search(r"applications\.yml:\d+: .*" + re.escape(told), str(fault.value))


def test_a_mark_without_a_value_is_told_with_its_file():
    one = TABLE.applications["gromacs"]
    bare = [each.model_copy(update={"marks": {}}) for each in one.systems]
    table = TABLE.model_copy(update={"applications": {"gromacs": one.model_copy(update={"systems": bare})}})
    with pytest.raises(BadInput, match=r"families/applications/gromacs\.sh:5: `@PROGRAM@` has no value for \w+\."):
        scripts(CLUSTERS, table)


@pytest.mark.parametrize("system, found", [("rivanna", "search/my_protein/"), ("narval", "data-output/my_protein")])
def test_alphafold_searches_without_a_gpu_and_predicts_from_what_it_found(system, found):
    search, structure = SCRIPTS[f"alphafold-cpu-{system}.sh"], SCRIPTS[f"alphafold-{system}.sh"]
    assert "--norun_inference" in search and not re.search("(?i)gres|gpus|cuda|model_dir", search)
    assert "--norun_data_pipeline" in structure and found in structure and "db_dir" not in structure
    out = found.split("/")[0]
    assert f'/{out}" --norun_inference' in search and re.search("--gres|--gpus", structure)


def test_ranks_that_share_a_gpu_are_as_many_as_the_text_says():
    several = [(one, each.ranks) for one in TABLE.applications.values() for each in one.systems if each.ranks > 1]
    for one, ranks in several:
        number = {2: "two", 4: "four"}.get(ranks, ranks)
        assert re.search(rf"\bexamples? starts?\b[^.]* {number}\b", one.ranks), f"{one.name}: {ranks}"


def test_ranks_share_the_cores_of_a_gpu():
    assert "--ntasks=16\n#SBATCH --cpus-per-task=4\n" in SCRIPTS["cp2k-roihu.sh"]
    assert "export OMP_NUM_THREADS=24\n" in SCRIPTS["gromacs-trillium.sh"], "which has no --cpus-per-task"
