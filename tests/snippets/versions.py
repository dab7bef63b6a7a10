"""The packages that a program ran with."""

import ast
import sys
from functools import cache
from importlib import metadata
from pathlib import Path

distributions = cache(metadata.packages_distributions)


def versions(program: Path) -> str:
    """`jax 0.10.2, torch 2.13.0`: what it imports and is installed; how a version was built (`+cpu`) is left out."""
    names = set()
    for node in ast.walk(ast.parse(program.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    packages = {name for each in names - sys.stdlib_module_names for name in distributions().get(each, [])}
    return ", ".join(f"{name} {metadata.version(name).partition('+')[0]}" for name in sorted(packages))
