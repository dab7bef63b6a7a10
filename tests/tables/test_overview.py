"""What compares all systems: cores beside GPUs, where a first job begins, and which systems there are."""

import re

from scripts.facts.centres import load_centres
from scripts.facts.model import Rule
from scripts.tables import centre
from scripts.tables.compare import rows_of
from scripts.tables.home import picker
from scripts.tables.overview import cores_and_gpus, fair_shares, first_jobs, gpus_of, lifecycle
from tests.clusters import CLUSTERS


def test_narval_has_the_cores_and_gpus_that_its_operator_teaches():
    """75,584 and 636 stand in the Alliance's workshop; the cores of the GPU nodes are not among them."""
    assert ["[Narval](/clusters/narval.md)", "75,584", "636", "119"] in rows_of(cores_and_gpus(CLUSTERS))


def test_cores_that_are_not_all_known_are_not_added_up():
    narval = CLUSTERS["narval"]
    plain = next(key for key, node in narval.node_types.items() if not node.gpus)
    types = narval.node_types | {plain: narval.node_types[plain].model_copy(update={"count": None})}
    changed = {"narval": narval.model_copy(update={"node_types": types})}
    assert rows_of(cores_and_gpus(changed))[1:] == [["[Narval](/clusters/narval.md)", "not published", "636", "–"]]


def test_a_doubtful_number_of_nodes_is_marked():
    narval = CLUSTERS["narval"]
    plain = next(key for key, node in narval.node_types.items() if not node.gpus)
    changed = {"narval": narval.model_copy(update={"unconfirmed": {f"node_types.{plain}.count": "a rumour"}})}
    assert "*(unconfirmed)*" in rows_of(cores_and_gpus(changed))[1][1]


def test_each_running_system_leads_to_its_script_and_says_whether_it_wants_an_account():
    running = {cluster.name: cluster for cluster in CLUSTERS.values() if cluster.running}
    found = {row[0].partition(":")[0].removeprefix("["): row for row in rows_of(first_jobs(CLUSTERS))[1:]}
    assert found.keys() == running.keys()
    for name, cluster in running.items():
        assert f"(/clusters/{cluster.key}.md#one-gpu)" in found[name][0]
        assert f"`{cluster.login[0].host}`" in found[name][1]
        assert (cluster.policy.account.rule is Rule.REQUIRED) == found[name][2].startswith("required"), name


def test_a_first_job_is_told_what_to_make_and_where_to_submit():
    found = {row[0].partition(":")[0].removeprefix("["): row for row in rows_of(first_jobs(CLUSTERS))[1:]}
    made = {name for name, row in found.items() if "#software)" in row[3]}
    assert made == {"Aire", "Kestrel", "Swift", "Trillium"}
    assert found["Narval"][3:] == ["nothing", "no rule published"]
    assert found["Fir"][4].startswith("a folder in /scratch or /project; jobs from /home are rejected")
    assert "*(unconfirmed)*" in found["Fir"][4]
    assert found["Kestrel"][1].startswith("`kestrel-gpu.hpc.nlr.gov`<br>`kestrel.nlr.gov`, from outside")


def test_systems_stand_in_their_order_each_with_its_whole_gpus():
    gone = [row[1] for row in rows_of(lifecycle(CLUSTERS)) if row[1].startswith("retired 2")]
    assert gone == sorted(gone, reverse=True) and len(gone) > 3, "the latest is first"
    names = {f"[{cluster.name}](/clusters/{key}.md)": cluster for key, cluster in CLUSTERS.items()}
    shares = [
        gpu for c in CLUSTERS.values() if c.running for gpu in c.gpus.values() if gpu.fair_share and not gpu.is_slice
    ]
    assert len(rows_of(fair_shares(CLUSTERS))) == 1 + len(shares)
    for key in load_centres():
        rows = [(names[row[0]], row) for row in rows_of(centre.systems(key, CLUSTERS))[1:]]
        assert [c for c, _ in rows] == sorted((c for c, _ in rows), key=lambda c: (not c.running, -c.gpu_total))
        for cluster, row in rows:
            assert ("retired" in row[1]) != cluster.running and " slice" not in row[2]
            told = [each for each in gpus_of(cluster) if " × " in each]
            assert len(told) == len([k for k, g in cluster.gpus.items() if cluster.gpu_count(k) and not g.is_slice])
        access = centre.access(key, CLUSTERS)
        logins = [(c, login) for c, _ in rows if c.running for login in c.login]
        assert all((f"`{login.host}` f" in access) == (len(c.login) > 1) for c, login in logins)
    for block in picker(CLUSTERS).split('<div class="systems on"')[1:]:
        there = [names[name] for name in re.findall(r"(?m)^- (\[.+?\]\(.+?\)) [\d,]+ ×", block)]
        assert there == sorted(there, key=lambda c: -c.gpu_total)
        for c in there:
            most = max(c.gpu_count(key) for key, gpu in c.gpus.items() if not gpu.is_slice)
            assert f"[{c.name}](/clusters/{c.key}.md) {most:,} × " in block
