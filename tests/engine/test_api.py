"""What programs and assistants get: `api/v1/`, whole, as its schema says, and an engine that runs with it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import quickjs

from scripts.engine.ask import ask
from scripts.facts import load_all
from scripts.site.after import api

SCRIPT = "#!/bin/bash\n#SBATCH --account=project_2001234\n#SBATCH --partition=gpu --gres=gpu:v100:5 --time=5-0\n./a\n"


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    site = tmp_path_factory.mktemp("site")
    api.write(site)
    return site / api.API


def test_each_cluster_is_as_the_schema_says(written):
    schema = json.loads((written / "schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    index = json.loads((written / "index.json").read_text(encoding="utf-8"))
    assert [each["key"] for each in index["clusters"]] == list(load_all())
    for key, cluster in load_all().items():
        found = json.loads((written / f"{key}.json").read_text(encoding="utf-8"))
        jsonschema.validate(found, schema, format_checker=jsonschema.FormatChecker())
        assert set(found["sources"]) == set(cluster.sources) and found["unconfirmed"] == cluster.unconfirmed
        assert found["read"] == max(str(each.read) for group in cluster.sources.values() for each in group)


def test_the_engine_runs_with_these_files_alone(written):
    def read(name):
        return (written / name).read_text(encoding="utf-8")

    context = quickjs.Context()
    context.eval(read("engine.js"))
    context.eval(f"const {{systems, data, judge}} = jobscript\nsystems.puhti = {read('puhti.json')}.system")
    context.eval(f"Object.assign(data, {read('common.json')})")
    judged = json.loads(context.eval(f"JSON.stringify(judge(systems.puhti, {json.dumps(SCRIPT)}))"))
    (ours,) = ask("judge", [load_all()["puhti"]], [["puhti", SCRIPT]])
    assert judged == ours and ours["verdict"] == "refused"
