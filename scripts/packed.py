"""What the build backend asks before it packs the tools; pyproject.toml says what goes in, and under which name.

The package is `gpu_cluster_guide`, with `scripts/`, `snippets/` and a few of our pages in it as they lie
here, and `guide` is its command.
"""

import re
import sys
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class Scripts(BuildHookInterface):
    """Writes the job scripts of families first: git does not keep them, and an installed package writes none."""

    def initialize(self, version: str, build_data: dict) -> None:
        sys.path.insert(0, self.root)
        from scripts.families.shared import write

        write()


class Needs(MetadataHookInterface):
    """The packages of requirements/. Of the tools, newer ones too: pip installs them beside others' packages."""

    def update(self, metadata: dict) -> None:
        metadata["dependencies"] = self.newer("check")
        of_site = self.named("collection")  # these very versions: scripts/site/theme changes what Material has
        metadata["optional-dependencies"] = {"mcp": self.newer("mcp"), "site": of_site}

    def newer(self, name: str) -> list[str]:
        return [line.replace("==", ">=") for line in self.named(name)]

    def named(self, name: str) -> list[str]:
        text = Path(self.root, f"requirements/{name}.in").read_text(encoding="utf-8")
        return re.findall(r"^\w\S*", text, re.MULTILINE)
