"""Job scripts that users of the systems have published: what is kept of each, and the verdict that it gets here.

One file of YAML for each place in `snippets/published/`. Of others' texts nothing is kept but what names and proves
them: repository, commit, path, the sha256 of the text; and what `drawn` draws out of them. A script that is refused
says why: it is stale, or not for the reader's cluster, or its author's mistake, or a fault of this guide.

`guides` keeps in the same way what the operators' own guides print, and the verdicts of the page's engine on it;
`pages` finds the scripts in a page, `redraw` draws the record anew.
"""

from scripts.published.record import Place, Used, load_published, share

__all__ = ["Place", "Used", "load_published", "share"]
