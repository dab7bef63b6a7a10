"""What programs and assistants get: `api/v1/`, whole, as its schema says, and an engine that runs with it."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
import quickjs

from scripts.engine.ask import ask
from scripts.facts import load_all, plain
from scripts.facts.api import VERSION, schema
from scripts.site.after import api
from scripts.tables import api as page

SCRIPT = "#!/bin/bash\n#SBATCH --account=project_2001234\n#SBATCH --partition=gpu --gres=gpu:v100:5 --time=5-0\n./a\n"


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    site = tmp_path_factory.mktemp("site")
    api.write(site)
    return site / api.API


def read(file: Path) -> dict:
    return json.loads(file.read_text(encoding="utf-8"))


def validator(part: str = "") -> jsonschema.Draft202012Validator:
    """Of the schema, or of one of its parts: an index, or the facts alone."""
    whole = schema()
    chosen = {"$ref": f"#/$defs/{part}", "$defs": whole["$defs"]} if part else whole
    return jsonschema.Draft202012Validator(chosen, format_checker=jsonschema.FormatChecker())


def test_every_file_is_as_the_schema_says(written, made):
    assert read(written / "schema.json") == schema()
    jsonschema.Draft202012Validator.check_schema(schema())
    clusters, index = load_all(), read(written / "index.json")
    assert [each["key"] for each in index["clusters"]] == list(clusters)
    whole, faults = validator(), list(validator("Index").iter_errors(index))
    for key, cluster in clusters.items():
        found = read(written / f"{key}.json")
        faults += whole.iter_errors(found)
        assert set(found["sources"]) == set(cluster.sources) and found["unconfirmed"] == cluster.unconfirmed
        assert found["read"] == max(str(each.read) for group in cluster.sources.values() for each in group)
    for facts in read(plain.JSON).values():
        faults += validator("Facts").iter_errors(facts)
    assert faults == []
    named = {"index.json", "schema.json", index["common"], *(f"{key}.json" for key in clusters)}
    assert {file.name for file in written.glob("*.json")} == named
    assert read(written / "schema.json")["version"] == index["version"] == VERSION and api.API == f"api/v{VERSION}"


def planted(found: dict, *at: str, value: object) -> dict:
    """A copy with one value that is another."""
    copy = json.loads(json.dumps(found))
    part = copy
    for key in at[:-1]:
        part = part[key]
    part[at[-1]] = value
    return copy


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (("facts", "partitions", "gpu", "max_tim"), "1-00:00:00"),
        (("facts", "partitions", "gpu", "max_time"), "1 day"),
        (("facts", "gpus", "v100", "memory"), 32),
        (("facts", "status", "state"), "gone"),
        (("sources", "gpus"), [{"title": "x", "url": "https://example.org"}]),
        (("version",), VERSION + 1),
    ],
    ids=str,
)
def test_another_form_is_noticed(written, at, value):
    puhti = read(written / "puhti.json")
    assert validator().is_valid(puhti) and not validator().is_valid(planted(puhti, *at, value=value))


def types(field: dict) -> set[str]:
    inner = (*field.get("anyOf", ()), field.get("items"), field.get("additionalProperties"))
    return {field.get("type", "")}.union(*(types(each) for each in inner if isinstance(each, dict)))


def test_every_field_is_described_and_every_number_has_its_unit():
    fields = [(name, key, field) for name, part in page.parts().items() for key, field in part["properties"].items()]
    assert len(fields) > 180 and [field for field in fields if not field[2].get("description")] == []
    numbers = [each for each in fields if {"integer", "number"} & types(each[2]) and "const" not in each[2]]
    assert len(numbers) > 25 and [each for each in numbers if not page.unit(each[2])] == []
    assert page.unit(page.parts()["Partition"]["properties"]["max_time"]) == "days-hours:minutes:seconds"


def test_the_page_has_every_field():
    objects = {name for name, part in schema()["$defs"].items() if "properties" in part}
    assert page.parts().keys() == objects | {""}
    text = page.fields()
    for name, part in page.parts().items():
        section = text.partition(f"{{ #{name.lower() or 'system'} ")[2].partition("\n###")[0]
        assert [row.split("`")[1] for row in section.splitlines() if row.startswith("| `")] == list(part["properties"])


def fields_of(name: str, part: dict) -> str:
    defs = schema()["$defs"]
    found = [f"{key}={page.type_of(field, defs)}={page.unit(field)}" for key, field in part["properties"].items()]
    return f"{name or 'system'}: " + "; ".join(re.sub(r"\[(\w+)\]\([^)]*\)", r"\1", each).rstrip("=") for each in found)


def test_no_field_of_this_version_goes_or_changes():
    """If one does, raise VERSION. If a field is new, add it to the file."""
    kept = (Path(__file__).parent / f"api_v{VERSION}.txt").read_text(encoding="utf-8").splitlines()
    assert [fields_of(*part) for part in page.parts().items()] == kept


def test_the_engine_runs_with_these_files_alone(written):
    def text(name):
        return (written / name).read_text(encoding="utf-8")

    context = quickjs.Context()
    context.eval(text("engine.js"))
    context.eval(f"const {{systems, data, judge}} = jobscript\nsystems.puhti = {text('puhti.json')}.system")
    context.eval(f"Object.assign(data, {text('common.json')})")
    judged = json.loads(context.eval(f"JSON.stringify(judge(systems.puhti, {json.dumps(SCRIPT)}))"))
    (ours,) = ask("judge", [load_all()["puhti"]], [["puhti", SCRIPT]])
    assert judged == ours and ours["verdict"] == "refused"
