"""Give every page the button "My account", and it what it must know of each system: `assets/my-account/data.js`."""

import json
import posixpath
import re
from pathlib import Path

from scripts.engine.data.move import software
from scripts.errors import BadInput
from scripts.facts import Cluster, load_all

FOLDER = "assets/my-account"
END = "</body>"
ENVIRONMENT = re.compile(r'^export PATH="(?P<folder>[^"]+)/bin:\$PATH"$')
PLACE = re.compile(r"<(?!user>)\w+>")


def of_system(cluster: Cluster) -> dict:
    """What stands for a reader's own values in this system's scripts and commands.

    account, environment: the made values of its scripts, null where they have none. places: what stands for a project
    in its paths. forms: accounts look so, `#` is a digit and `*` any name. hosts: what the user name stands before.
    """
    setup = [line for lines in software(cluster)["setup"].values() for line in lines]
    found = (ENVIRONMENT.match(line) for line in setup)
    return {
        "name": cluster.name,
        "account": cluster.policy.sample_account,
        "forms": cluster.policy.account_forms,
        "environment": next((match["folder"] for match in found if match), None),
        "places": sorted({place for each in cluster.storage for place in PLACE.findall(each.path)}),
        "hosts": [login.host for login in cluster.login],
    }


def data() -> str:
    """Running systems first."""
    clusters = sorted(load_all().items(), key=lambda item: not item[1].running)
    systems = {key: of_system(cluster) for key, cluster in clusters}
    return f"myAccount.systems = {json.dumps(systems, ensure_ascii=False, separators=(',', ':'))}\n"


def write(site: Path) -> None:
    """Raises BadInput for a page without an end."""
    folder = site / FOLDER
    if not folder.is_dir():
        raise BadInput(folder, None, "its scripts are not there.", "Leave docs/assets/my-account where it is.")
    (folder / "data.js").write_text(data(), encoding="utf-8")
    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        if "md-header" not in html:
            continue
        if END not in html:
            raise BadInput(page, None, f"the page has no {END}.", "Look at the theme's base.html.")
        to = "/" if page.name == "404.html" else ""
        address = to + posixpath.relpath(f"{FOLDER}/start.js", page.parent.relative_to(site).as_posix())
        before, _, after = html.rpartition(END)
        page.write_text(f'{before}<script src="{address}" defer></script>{END}{after}', encoding="utf-8")
