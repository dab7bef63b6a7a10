"""Documents of each kind, made around a job script."""

from __future__ import annotations

import textwrap


def indented(script: str, before: str) -> str:
    return textwrap.indent(script, before, lambda line: True)


# name of the document: what stands around a script of NAME, and what before each of its lines
WRAPPED = {
    "fence.md": ("# NAME\n\nText.\n\n```bash\n", "", "```\n\nMore.\n"),
    "heading.md": ("NAME\n====\n\n## Jobs\n\n~~~~ sh\n", "", "~~~~\n\n```console\nsbatch job.sh\n```\n"),
    "tab.md": ('# Jobs\n\n=== "NAME"\n\n    ```bash title="job.sh"\n', "    ", "    ```\n\nMore.\n"),
    "list.md": ("# NAME\n\n1. Write:\n\n   ```bash\n", "   ", "   ```\n\n2. Submit.\n"),
    "quote.md": ("# NAME\n\n> ```bash\n", "> ", "> ```\n"),
    "myst.md": ("# Jobs\n\n````{tab-set}\n```{tab-item} NAME\n~~~bash\n", "", "~~~\n```\n````\n"),
    "heredoc.md": ("# NAME\n\n```console\ncat > job.sh <<'EOF'\n", "", "EOF\nsbatch job.sh\n```\n"),
    "pre.html": ("<h1>Jobs on NAME</h1>\n<pre>\n", "", "</pre>\n"),
    "block.rst": ("NAME\n----\n\n.. code-block:: bash\n   :linenos:\n\n", "   ", "\nMore.\n"),
    "literal.rst": ("NAME\n####\n\nJobs\n====\n\nWrite this::\n\n", "    ", "\nSubmit it.\n"),
    "tabs.rst": (".. tabs::\n\n   .. group-tab:: NAME\n\n      .. code-block:: bash\n\n", " " * 9, "\nMore.\n"),
    "skills/jobs/SKILL.md": ("---\nname: jobs\n---\n\n# Jobs on NAME\n\n```\n", "", "```\n"),
    "NAME/job.slurm": ("", "", ""),
    "NAME/template.sh.j2": ("", "", ""),
}


def document(kind: str, name: str, script: str) -> tuple[str, str, int]:
    """(path, text, the line on which the script begins)."""
    above, before, below = WRAPPED[kind]
    above = above.replace("NAME", name)
    text = above + indented(script, before) + below
    return kind.replace("NAME", name.split("/")[0].lower()), text, above.count("\n") + 1
