"""What docs/learn/install-software.md says of conda, asked of a real solver with a small channel made here.

The channel copies how conda-forge marks its builds (read 2026-11-21, https://conda-forge.org/docs/user/cuda/):
a CUDA build needs `__cuda`, `cuda-version` limits which, and the CPU build has the lower build number.
"""

import json
import re
import shlex

import pytest
import yaml
from anyio.from_thread import start_blocking_portal
from rattler import Channel, MatchSpec, VirtualPackage, VirtualPackageOverrides, solve
from rattler.exceptions import SolverError

from tests.snippets.sandbox import ROOT

SOFTWARE = ROOT / "snippets" / "software"
PLAIN = "torchvision numpy pandas matplotlib numba numba-cuda threadpoolctl nvidia-ml-py ipykernel".split()
PLAIN += ["transformers", "peft"]


def package(name: str, version: str, build: str = "0", number: int = 0, depends=(), constrains=()) -> tuple[str, dict]:
    about = {"name": name, "version": version, "build": build, "build_number": number, "subdir": "linux-64"}
    return f"{name}-{version}-{build}.conda", about | {"depends": list(depends), "constrains": list(constrains)}


def framework(name: str, version: str, cudas: str, insisting: bool = True) -> list[tuple[str, dict]]:
    """One version: a CPU build, a build for each CUDA (`120 130`), and the metapackage that insists on a GPU."""
    made = [package(name, version, "cpu_mkl_py312h1", 100)]
    for cuda in cudas.split():
        major = int(cuda[:2])
        needed = ["__cuda", f"cuda-version >={major},<{major + 1}"]
        made.append(package(name, version, f"cuda{cuda}_py312h1", 300, needed))
        if insisting:
            made.append(package(f"{name}-gpu", version, f"cuda{cuda}_h1", 300, [f"{name} {version} cuda{cuda}*"]))
    return made


@pytest.fixture
def channel(tmp_path) -> Channel:
    """The newest pytorch has no CUDA 12 build any more; an older version has one."""
    packages = [
        *framework("pytorch", "2.4.1", "120"),
        *framework("pytorch", "2.99.0", "130"),
        *framework("tensorflow", "2.16.1", "120"),
        *framework("jaxlib", "0.9.0", "126 130", insisting=False),
        package("jax", "0.9.0", depends=["jaxlib 0.9.0"]),
        package("cuda-version", "12.6", constrains=["__cuda >=12"]),
        package("cuda-version", "13.0", constrains=["__cuda >=13"]),
        package("cupy", "14.0", "cuda12", 0, ["cuda-version >=12,<13"]),
        package("cupy", "14.0", "cuda13", 1, ["cuda-version >=13,<14"]),
        *(package(name, "1.0") for name in PLAIN),
        package("python", "3.12.9"),
    ]
    for subdir, content in (("linux-64", dict(packages)), ("noarch", {})):
        (tmp_path / subdir).mkdir()
        text = json.dumps({"info": {"subdir": subdir}, "packages": {}, "packages.conda": content})
        (tmp_path / subdir / "repodata.json").write_text(text, encoding="utf-8")
    return Channel(tmp_path.as_uri())


def installed(source: Channel, cuda: str | None, specs: list[str]) -> dict[str, str]:
    """What conda would install where the driver, or the override, has this CUDA: name -> build."""
    here = [each.into_generic() for each in VirtualPackage.detect(VirtualPackageOverrides.from_env())]
    here = [each for each in here if cuda or each.name.normalized != "__cuda"]  # a login node has no GPU
    wanted = [MatchSpec(spec) for spec in specs]
    with start_blocking_portal() as portal:  # an open browser keeps an event loop in this thread
        records = portal.call(lambda: solve([source], wanted, platforms=["linux-64", "noarch"], virtual_packages=here))
    return {record.name.normalized: str(record.build) for record in records}


@pytest.mark.parametrize("script", sorted(SOFTWARE.glob("conda_*.sh")), ids=lambda script: script.name)
def test_the_pages_scripts_ask_so_that_a_gpu_build_comes(channel, monkeypatch, script):
    """The script's own override and package names, solved; and its last line tells the two builds apart."""
    text = script.read_text(encoding="utf-8").replace("\\\n", " ")
    override = re.search(r"^export CONDA_OVERRIDE_CUDA=(\S+)", text, re.MULTILINE)[1]
    words = shlex.split(re.search(r"^conda create (.*)$", text, re.MULTILINE)[1])
    specs = [
        word
        for word, before in zip(words, ["", *words], strict=False)
        if not word.startswith("--") and before not in ("--prefix", "--channel")
    ]
    shown = re.search(r"^conda list --prefix \S+ --full-name (\S+) \| grep (\S+)$", text, re.MULTILINE)
    monkeypatch.setenv("CONDA_OVERRIDE_CUDA", override)
    assert shown[2] in installed(channel, override, specs)[shown[1]]
    monkeypatch.delenv("CONDA_OVERRIDE_CUDA")
    with pytest.raises(SolverError, match="__cuda"):
        installed(channel, None, specs)


def test_the_shown_condarc_names_conda_forge_only():
    assert yaml.safe_load((SOFTWARE / "condarc.yml").read_text(encoding="utf-8")) == {
        "channels": ["conda-forge"],
        "channel_priority": "strict",
    }
