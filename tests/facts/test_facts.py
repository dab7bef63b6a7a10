"""The facts: all load, agree with their schema, and every kind of fault is told in one useful line."""

import os
import re
import shutil
from pathlib import Path

import pytest

from scripts import facts
from scripts.engine.data.guide_scripts import directives
from scripts.errors import BadInput
from scripts.facts import limits as of_limits
from scripts.facts.limits import TYPES, limits, strictest
from scripts.facts.places import other_sizes
from scripts.facts.units import Day, Memory, Walltime, day
from scripts.markdown import readable, table
from scripts.models import load_model
from scripts.paths import SNIPPETS, write_whole
from tests.clusters import CLUSTERS


@pytest.mark.parametrize("cluster", [c for c in CLUSTERS.values() if not c.running], ids=lambda cluster: cluster.key)
def test_a_retired_system_names_its_successor(cluster):
    assert cluster.status.successor


SHARES = [
    (cluster, node, gpu)
    for cluster in CLUSTERS.values()
    for node, kind in cluster.node_types.items()
    for gpu in kind.gpus
    if cluster.gpus[gpu].fair_share and kind.cores
]


@pytest.mark.parametrize("cluster, node, gpu", SHARES, ids=lambda value: getattr(value, "key", value))
def test_a_share_of_a_gpu_fits_its_node(cluster, node, gpu):
    """N fair shares must fit the node that has N of that GPU."""
    kind, found = cluster.node_types[node], cluster.gpus[gpu]
    number = kind.gpus[gpu]
    for cores, memory in ((found.fair_share.cores, found.fair_share.memory), (found.max_cores or 0, found.max_memory)):
        assert cores * number <= kind.cores * kind.threads_per_core
        assert not (memory and kind.memory) or memory.mib * number <= kind.memory.mib * 1.005  # operators round


def test_a_script_requests_the_share_of_its_gpu():
    """In whole GiB, as the job script tool does, so that the page and the tool show one number."""
    for cluster in CLUSTERS.values():
        share = next(iter(cluster.gpus.values())).fair_share
        asked = directives(cluster, "one_gpu").get("mem")
        if cluster.running and asked and share and share.memory:
            assert asked == f"{int(share.memory.mib) // 1024}G", cluster.key


def test_a_calculated_number_of_nodes_makes_up_the_total_that_is_stated():
    """`2,314 CPU nodes minus ...`: those of all kinds that have GPUs, or of all that have none."""
    checked = 0
    for cluster in CLUSTERS.values():
        for key, why in cluster.unconfirmed.items():
            if key.endswith(".count") and (total := re.search(r"([\d,]+)[^\d.]* minus ", why)):
                own = cluster.node_types[key.split(".")[1]]
                like = [kind for kind in cluster.node_types.values() if bool(kind.gpus) == bool(own.gpus)]
                assert sum(kind.count for kind in like) == int(total[1].replace(",", "")), cluster.key
                checked += 1
    assert checked >= 2


def test_a_local_disk_holds_what_its_jobs_are_promised():
    """And all of it where they share it; else a part, as the operator says."""
    for cluster in CLUSTERS.values():
        disks = {key: kind.local_disk.mib for key, kind in cluster.node_types.items() if kind.local_disk}
        for place in (each for each in cluster.storage if "local disk" in each.use):
            for key, size in (place.sizes | place.full_node_sizes).items():
                assert size.mib <= disks[key] * 1.003, f"{cluster.key}: {place.path}, {key}"  # 14 TiB of 15.36 TB
            if place.size:
                whole = place.one_node or "shared by all jobs" in place.use
                assert place.size.mib <= max(disks.values()), f"{cluster.key}: {place.path}"
                assert not whole or place.size.mib in disks.values(), f"{cluster.key}: {place.path}"


def test_each_size_that_differs_is_told_with_its_nodes():
    for cluster in CLUSTERS.values():
        for place in cluster.storage:
            told = list(other_sizes(cluster, place))
            assert place.full_node_sizes.keys() <= place.sizes.keys()
            for key, size in place.sizes.items():
                kind = (cluster.node_types[key].description or f"`{key}`").removesuffix(" nodes")
                full = place.full_node_sizes.get(key)
                end = rf" \({full} for full-node jobs\)" if full else "$"
                pattern = rf"{size} on [^(]*{re.escape(kind)}[^(]*{end}"
                assert any(re.match(pattern, each) for each in told), told


def test_a_limit_in_a_table_agrees_with_its_number():
    for cluster in CLUSTERS.values():
        parts = [("policy", cluster.policy), *(("partitions", each) for each in cluster.partitions.values())]
        parts += [(group, each) for group in ("gpus", "qos") for each in getattr(cluster, group).values()]
        for group, part in parts:
            for key, row, number in limits(group, part):
                cell = row.in_table(getattr(part, key)) if row.cell and row.unit not in TYPES else ""
                assert not re.search(rf"\b1 {row.unit}s|(?<!\b1) {row.unit}\b", cell), f"{cluster.key}: {cell}"
                assert not cell or row.fixed is not None or f"{number:,}" in cell


def test_commands_that_install_load_a_listed_module_in_a_listed_version():
    checked = 0
    for cluster in CLUSTERS.values():
        software = cluster.software
        lines = [*(software.r.once if software.r else ()), *cluster.interactive.jupyter]
        for name, version in re.findall(r"module load (\w+)/([\w.]+)", " ".join(lines)):
            listed = {each for each in software.loadable if each.startswith(f"{name}/")}
            assert not listed or f"{name}/{version}" in listed, cluster.key
            checked += bool(listed)
    assert checked >= 4


MOST_SLICES = {"A100": 7, "H100": 7, "RTX PRO 6000": 4}  # of the smallest kind, from one GPU (NVIDIA's MIG user guide)
SLICES = [
    (cluster, node, slice)
    for cluster in CLUSTERS.values()
    for node, kind in cluster.node_types.items()
    for slice in kind.gpus
    if cluster.gpus[slice].is_slice
]


@pytest.mark.parametrize("cluster, node, slice", SLICES, ids=lambda value: getattr(value, "key", value))
def test_a_node_has_the_slices_of_whole_gpus(cluster, node, slice):
    (most,) = [most for model, most in MOST_SLICES.items() if model in cluster.gpus[slice].model]
    each = most // int(re.search(r"(\d+)g\.", slice)[1])
    number, whole = cluster.node_types[node].gpus[slice], cluster.gpus.get(cluster.gpus[slice].slice_of)
    assert number % each == 0, f"{number} slices are no multiple of {each}, which is what one GPU gives"
    assert not whole or cluster.gpus[slice].memory.mib * each <= whole.memory.mib, "the slices have more than the GPU"


@pytest.mark.parametrize("cluster", [c for c in CLUSTERS.values() if c.billing.prices], ids=lambda cluster: cluster.key)
def test_the_price_of_a_gpu_in_words_is_that_of_the_rates(cluster):
    first = next(key for key, gpu in cluster.gpus.items() if not gpu.is_slice)
    rate = next(each for each in cluster.billing.prices if first in each.gpus)
    said = cluster.billing.gpu_hour.split()[0]
    assert float({"half": "0.5"}.get(said, said)) == rate.price / rate.per.gpus


@pytest.mark.parametrize("cluster", [c for c in CLUSTERS.values() if c.billing.prices], ids=lambda cluster: cluster.key)
def test_every_price_stands_in_the_words(cluster):
    words = " ".join([cluster.billing.gpu_hour, *cluster.billing.rules]).replace(",", "")
    for word, number in {"half": "0.5", "one": "1", "four": "4"}.items():
        words = re.sub(rf"\b{word}\b", number, words)
    said = set(map(float, re.findall(r"\d+(?:\.\d+)?", words)))
    for price in cluster.billing.prices:
        if price.price:
            assert said & {float(price.price), price.price / (price.per.gpus or 1)}, f"{price.price} stands in no word"


AMD = {"MI250X": "gfx90a", "MI300A": "gfx942"}  # LLVM's user guide for AMDGPU


def test_compilers_know_each_amd_gpu_by_its_own_name():
    found = [gpu for cluster in CLUSTERS.values() for gpu in cluster.gpus.values() if gpu.offload_arch]
    assert len(found) >= 2
    for gpu in found:
        assert gpu.offload_arch == next(arch for model, arch in AMD.items() if model in gpu.model), gpu.model


def test_of_two_limits_the_stricter_counts_and_none_of_some_jobs_alone():
    both = {"max_nodes": 4, "max_nodes_without_allocation": 2, "min_gpus": 3, "gpu_required": True}
    both |= {"max_time": Walltime("2-00:00:00"), "max_time_several_gpus": Walltime("1-00:00:00")}
    gpu = CLUSTERS["puhti"].partitions["gpu"].model_copy(update=both)
    assert (strictest(gpu, "nodes", "at_most"), strictest(gpu, "gpus", "at_least")) == (2, 3)
    assert strictest(gpu, "minutes", "at_most") == 2880


@pytest.mark.parametrize(
    "quantity, said",
    [
        ("memory_per_gpu", "computed only under `gpus:`. Move the row, or compute the quantity .* for `policy:` too"),
        ("cores_per_gpus", "not a quantity. Choose from nodes,"),
    ],
)
def test_a_limit_that_nobody_would_enforce_is_refused(tmp_path, quantity, said):
    lines = Path(of_limits.__file__).with_name("limits.yml").read_text(encoding="utf-8").splitlines()
    lines[lines.index("    quantity: slices")] = f"    quantity: {quantity}"
    (file := tmp_path / "limits.yml").write_text("\n".join(lines), encoding="utf-8")
    line = lines.index("  slices_per_job:") + 1
    with pytest.raises(BadInput, match=f"{line}: `policy.slices_per_job`: `{quantity}` is {said}"):
        load_model(file, of_limits.Table, "")


def test_only_whole_gpus_in_a_known_number_of_nodes_are_counted():
    for cluster in CLUSTERS.values():
        whole = {key: gpu for key, gpu in cluster.gpus.items() if not re.search(r"\dg\.\d+", gpu.gres)}
        assert whole == {key: gpu for key, gpu in cluster.gpus.items() if not gpu.is_slice}
        assert cluster.model_copy(update={"gpus": whole}).gpu_total == cluster.gpu_total
        nodes = {key: node.model_copy(update={"count": None}) for key, node in cluster.node_types.items()}
        assert cluster.model_copy(update={"node_types": nodes}).gpu_total == 0


def test_names_are_those_that_users_type():
    for cluster in CLUSTERS.values():
        assert cluster.software.container_command in ("apptainer", "singularity", "")
        for gpu in cluster.gpus.values():
            assert not gpu.counts or gpu.numbers.endswith(f"a multiple of {max(gpu.counts)}")
        for form in cluster.policy.account_forms:
            assert cluster.policy.has_form(form.replace("#", "7").replace("*", "a_b-1"))
            assert not cluster.policy.has_form(re.sub("[#*]", "", form))


def test_units():
    assert Memory("373 GiB").mib == 373 * 1024
    assert Walltime("3-00:00:00").minutes == 4320
    words = {"3-00:00:00": "3 days", "1-12:00:00": "36 hours", "0-00:15:00": "15 minutes", "0-01:00:00": "1 hour"}
    words |= {"1-00:00:00": "24 hours", "0-00:01:00": "1 minute", "0-00:01:30": "90 seconds"}
    assert {time: Walltime(time).words for time in words} == words
    days = {"2026-07-01": "July 1, 2026", "2026-07": "July 2026", "2026-12": "December 2026", "2026": "2026"}
    assert {date: day(date) for date in days} == days
    sizes = {4096: "4 GiB", 90000: "87.9 GiB", 2**20 - 1024: "1023 GiB", 2**20: "1.0 TiB", 1152000: "1.1 TiB"}
    assert {mib: readable(mib) for mib in sizes} == sizes
    assert table(["a"], [["x|y"], ["90000 MiB"]]) == "| a |\n| --- |\n| x\\|y |\n| 87.9 GiB |\n"
    for kind, wrong in ((Memory, "373G"), (Walltime, "3-00:0"), (Walltime, "36:00:00"), (Day, "2026-13")):
        with pytest.raises(ValueError):
            kind(wrong)


PUHTI = SNIPPETS / "puhti" / "cluster.yml"


def loaded(folder: Path, text: str, key: str = "puhti") -> facts.Cluster:
    """This text, read as the facts of a system."""
    path = folder / key / "cluster.yml"
    write_whole(path, text)
    shutil.copy(SNIPPETS / "centres.yml", folder)
    return facts.load_cluster(path)


def faults(tmp_path: Path, text: str) -> list[str]:
    """What loading this text as puhti's facts says, a line each."""
    with pytest.raises(BadInput) as caught:
        loaded(tmp_path, text)
    return str(caught.value).splitlines()


def fault(tmp_path: Path, text: str) -> str:
    """The same where there is one fault."""
    (one,) = faults(tmp_path, text)
    return one


PRICE = "billing:\n  prices: [{price: 1, unit: BU, per: {gpus: 1}, gpus: [v10]}]\n"
SLICE = "{model: x, memory: 1 GiB, request: --gres=x, gres: gpu:x"
FAULTS = [
    (r"max_time: 3-00:00:00", "max_time: 3-00:0", "partitions.gpu.max_time.*'3-00:0' is not a walltime. Write it like"),
    (r"max_time: 3-00:00:00", "max_tine: 3-00:00:00", "max_tine` is not a key.*Did you mean `max_time`"),
    (r"node_types: \[gpu\]", "node_types: [gpus]", "`gpus` is not a node type.*Did you mean `gpu`"),
    (r"max_gpus: 8", "gpu_jobs_in: gpus", "`gpus` is not a partition.*Did you mean `gpu`"),
    (r"(?m)^billing:\n", PRICE, "`v10` is not a GPU.*Did you mean `v100`"),
    (r"(?m)^billing:\n", PRICE.replace("gpus: [v10]", "partitions: [gp]"), "`gp` is not a partition"),
    (r"max_gpus: 8", "longer_jobs_in: gpus", "`gpus` is not a partition.*Did you mean `gpu`"),
    (r"max_time: 3-00:00:00", "longer_jobs_in: gpu", "no job is too long here. Say `max_time:` too."),
    (r"(?m)^unconfirmed:\n", "unconfirmed:\n  gpus.v100_memory: x\n", "`gpus.v100_memory` names nothing in this file"),
    (r"(?m)^billing:\n", PRICE.replace("gpus: 1", ""), "a price needs `per:` with nodes, gpus, cores or memory"),
    (r"(?m)^  state: retired", "  state: retierd", "`status.state`"),
    (r"(?m)^  state: retired", "  state: retiring", "`ended:` is for a retired system"),
    (r"sample_account: \S+", "sample_account: mine", "the sample_account has none of account_forms"),
    (r"(?m)^  ended: .*\n", "  ended: 31.7.2026\n", "`status.ended`: '31.7.2026' is not a day"),
    (r"(?m)^node_types:", "network: HDR100\nnode_types:", "should be 'InfiniBand', .* or 'Ethernet'.$"),
    (
        r"node_types: \[gpu\]",
        "node_types: gpu",
        r"`partitions.\w+.node_types`.* Write it in brackets: \[first, second\]",
    ),
    (r"count: 80", "count: many", "`node_types.gpu.count`.* Write a whole number without quotes"),
    (r"count: 80", "count: true", "`node_types.gpu.count`.* Write a whole number without quotes"),
    (r"(?m)^  ended: .*\n", "  ended: 2026-02-30\n", "`status.ended`: '2026-02-30' is not a day of the calendar"),
    (r"read: \S{10}", "read: 2026-11", "read`: '2026-11' is not a date. Write it like '2026-12-01'"),
    (r"max_time: 3-00:00:00", "max_time: 0-00:00:00", "'0-00:00:00' is not a walltime"),
    (r"(?m)^name: Puhti", 'name: ""', "`name`: String should have at least 1 character"),
    (r"compute_capability: \S+", "compute_capability: 7.0", "capability`.* Write one text, a number in quotes"),
    (
        r"(?m)^  gpu:$(?=\n    node_types)",
        "  gpu x:",
        "`partitions.gpu x`: `gpu x` is not a name that schedulers accept",
    ),
    (r"(?m)^    gres: gpu:v100", "    gres: gpu:v 100", "`gpus.v100.gres`: `gpu:v 100` is not a name"),
    (r"(?m)^    gres: gpu:v100", "    gres: v100", "`v100` is not the name of a GPU in Slurm. .* `gpu:v100`"),
    (r"gres: {nvme: 3600}", "gres: {nv me: 3600}", "`nv me` is not a name that schedulers accept"),
    (r"(?m)^name: Puhti", "name: Puhti\nname: Puhti", "`name` appears twice"),
    (r"(?m)^gpus:", "gpus: [", "this is not YAML"),
    (
        r"(?m)^gpus:",
        f"gpus:\n  y: {SLICE}}}\n  x: {SLICE}, slice_of: y}}",
        "no node type has a `y`.*place for its slice `x`",
    ),
    (r"puhti\.csc\.fi", "puhti", "`login.0.host`"),
    (r"memory: 32 GB", "memory: 32G", "'32G' is not a memory"),
    (r"centre: csc", "centre: cscc", "/centres.yml has no `cscc`. Did you mean `csc`?"),
    (r"\n +read: \S+", "", "read` is missing"),
    (r"(?m)^  partitions:\n(    .*\n)+(?=  policy:)", "", "`partitions` has no source"),
]


@pytest.mark.parametrize("old, new, said", FAULTS)
def test_a_fault_is_one_line_with_file_line_key_and_cure(tmp_path, old, new, said):
    text = PUHTI.read_text(encoding="utf-8")
    broken, number = re.subn(old, new, text, count=1)
    assert number == 1, "the planted fault no longer fits puhti's file"
    message = fault(tmp_path, broken)
    assert re.search(said, message)
    line = int(re.search(r"cluster\.yml:(\d+):", message)[1])
    changed = next(n for n, (a, b) in enumerate(zip(text.splitlines(), broken.splitlines(), strict=False), 1) if a != b)
    assert not new or changed <= line <= changed + 2 or text.splitlines()[line - 1] in ("status:", "policy:"), message


@pytest.mark.parametrize(
    "dates, refused",
    [
        (["dated: 2026-07-30, read: 2026-11-20"], True),
        (["dated: 2026-07-31, read: 2026-11-20"], False),
        (["dated: 2026-07, read: 2026-11-20"], False),
        (["dated: 2026-06, read: 2026-11-20"], True),
        (['dated: "2026", read: 2026-11-20'], False),
        (['dated: "2025", read: 2026-11-20'], True),
        (["read: 2026-11-20"], False),
        (["read: 2026-07-30"], True),
        (["dated: 2026-06-01, read: 2026-11-20", "dated: 2026-08-01, read: 2026-11-20"], False),
        (["dated: 2026-06-01, read: 2026-11-20", "dated: 2026-07-01, read: 2026-11-20"], True),
    ],
)
def test_a_source_older_than_what_happened_is_refused(tmp_path, dates, refused):
    """Puhti ended on 2026-07-31: a page of an earlier day can only have announced it."""
    sources = ", ".join(f'{{title: A page, url: "https://docs.csc.fi/", {date}}}' for date in dates)
    text = re.sub(
        r"(?m)^  status: &system\n(    .*\n)+", f"  status: &system [{sources}]\n", PUHTI.read_text(encoding="utf-8")
    )
    if not refused:
        assert loaded(tmp_path, text).status.ended == "2026-07-31"
        return
    message = fault(tmp_path, text)
    assert re.search(
        r"cluster\.yml:10: this happened on 2026-07-31, and the newest source of `status` is of \S+\. Cite", message
    )
    doubt = "unconfirmed:\n  status.ended: announced before\n"
    assert loaded(tmp_path, text.replace("unconfirmed:\n", doubt, 1)).status.ended


def test_a_rule_since_a_day_needs_a_source_as_new_and_a_plan_does_not(tmp_path):
    text = PUHTI.read_text(encoding="utf-8")
    since = text.replace("  time: {rule: optional}", "  time: {rule: optional, since: 2026-08-01}", 1)
    message = fault(
        tmp_path,
        since.replace("policy.time: ", "policy.time.note: ", 1).replace(
            "{rule: optional, since", "{rule: optional, note: x, since", 1
        ),
    )
    assert "this happened on 2026-08-01, and the newest source of `policy` is of 2026-07-31." in message
    opened = re.sub("  since: .*", "  since: 2026-08-01", text, count=1)
    assert "this happened on 2026-08-01, and the newest source of `status`" in fault(tmp_path, opened)
    planned = text.replace("  ended: 2026-07-31\n", "  ended: 2026-07-31\n  planned_end: 2029-01-01\n", 1)
    assert loaded(tmp_path, planned).status.planned_end == "2029-01-01"


def test_an_empty_file_is_refused(tmp_path):
    assert "the file is empty. Copy a file of the same kind, or delete this one." in fault(tmp_path, "# title: x\n")


BOMB = "a: &a0 [x, x]\n" + "".join(f"b{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))


@pytest.mark.parametrize(
    "text, said",
    [
        (BOMB, "puhti/cluster.yml:6: this file has more than 100,000 values"),
        ("name: &n [*n]\n", "puhti/cluster.yml: this is nested too deeply. Close each bracket"),
        ("name: " + "[" * 5000, "puhti/cluster.yml: this is nested too deeply. Close each bracket"),
        ("9" * 5000, "puhti/cluster.yml:1: this file must be a list of `key: value` lines."),
        ("name: x\nnote: \udcff", "puhti/cluster.yml:2: this is not UTF-8 text. Save the file as UTF-8."),
    ],
)
def test_hostile_yaml_is_one_sentence(tmp_path, text, said):
    file = tmp_path / "puhti/cluster.yml"
    write_whole(file, text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BadInput) as caught:
        facts.load_all(tmp_path)
    assert said in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_is_no_plain_file_is_not_waited_for(tmp_path, make):
    (tmp_path / "puhti").mkdir()
    make(tmp_path / "puhti/cluster.yml")
    with pytest.raises(BadInput, match="puhti/cluster.yml: this is not a plain file. Put a text file in its place."):
        facts.load_all(tmp_path)


def test_one_name_twice_is_refused(tmp_path):
    for key in ("puhti", "puhtitwo"):
        loaded(tmp_path, PUHTI.read_text(encoding="utf-8"), key)
    with pytest.raises(BadInput, match="the name Puhti is already that of"):
        facts.load_all(tmp_path)


def test_every_fault_of_a_file_is_told_at_once(tmp_path):
    text = PUHTI.read_text(encoding="utf-8")
    spoilt = text.replace("name: Puhti", "nmae: Puhti", 1).replace("3-00:00:00", "three days", 1)
    lines = faults(tmp_path, spoilt)
    assert len(lines) == 2 and len(set(lines)) == 2
    assert "nmae" in lines[0] and "Did you mean `name`?" in lines[0] and "three days" in lines[1]


def test_faults_of_two_files_are_told_together(tmp_path):
    for key in ("puhti", "roihu"):
        (tmp_path / key).mkdir()
        text = (PUHTI.parent.parent / key / "cluster.yml").read_text(encoding="utf-8")
        (tmp_path / key / "cluster.yml").write_text(text + "nonsense: 1\n", encoding="utf-8")
    with pytest.raises(BadInput) as told:
        facts.load_all(tmp_path)
    assert [line.count("nonsense") for line in str(told.value).splitlines()] == [1, 1]


def test_a_note_of_several_lines_becomes_one_paragraph(tmp_path):
    name = PUHTI.read_text(encoding="utf-8").replace("name: Puhti", "name: |\n  Puhti", 1)
    assert loaded(tmp_path, name).name == "Puhti"
    head, rest = PUHTI.read_text(encoding="utf-8").split("scheduler:\n", 1)
    assert loaded(tmp_path, f"{head}scheduler:\n  note: |\n    One.\n    Two.\n{rest}").scheduler.note == "One. Two."


def test_one_cluster_is_read_alone(tmp_path, monkeypatch):
    """Another cluster's broken file does not keep anybody from asking about theirs."""
    for key in ("roihu", "kestrel"):
        shutil.copytree(SNIPPETS / key, tmp_path / key)
    (tmp_path / "kestrel/cluster.yml").write_text("name: [", encoding="utf-8")
    monkeypatch.setattr("scripts.facts.load.FACTS", tmp_path)
    assert facts.load_named("roihu") == CLUSTERS["roihu"]
    with pytest.raises(BadInput, match="no cluster `roihi`. Did you mean `roihu`"):
        facts.load_named("roihi")


@pytest.mark.parametrize("key, name", [("puhti", "Roihu"), ("lumi", "LUMI-AI"), ("roihu", None)])
def test_a_successor_is_named_as_readers_know_it(key, name):
    assert facts.successor_name(CLUSTERS[key]) == name


def cores_of(ranges: list[str]) -> list[int]:
    pairs = [[int(end) for end in each.split("-")] for each in ranges]
    return [core for first, last in pairs for core in range(first, last + 1)]


def test_each_gpu_of_a_node_has_cores_of_its_own_next_to_it():
    for cluster in CLUSTERS.values():
        for node in cluster.node_types.values():
            near = cores_of(node.gpu_cores)
            assert not near or len(near) == len(set(near)) == node.cores


def test_a_gpu_has_the_same_other_names_on_all_systems_of_a_center():
    found = {}
    for cluster in CLUSTERS.values():
        for gpu in cluster.gpus.values():
            if gpu.synonyms:
                assert found.setdefault((cluster.centre, gpu.gres), set(gpu.synonyms)) == set(gpu.synonyms)
