"""Say in each built page how large its pictures are, so that the browser keeps their place and nothing jumps when they
arrive. What a notebook holds becomes a file beside its page, since its slides show it, too.
"""

import re
from base64 import b64decode
from pathlib import Path

from scripts.errors import BadInput

PICTURE = re.compile(r'<img(?P<before>[^>]*) src="(?P<file>[^":]+\.svg)"')
HELD = re.compile(r' src="data:image/png;base64,(?P<data>[^"]+)"')
VIEW_BOX = re.compile(r'<svg[^>]*\bviewBox="0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)"')


def write(site: Path) -> None:
    """Write width and height, in the units of its own drawing, into every
    <img> of an SVG file; the style sheet scales it.
    """

    def sized(picture: re.Match) -> str:
        file = (page.parent / picture["file"]).resolve()
        box = VIEW_BOX.search(file.read_text(encoding="utf-8")) if file.is_file() else None
        if not box:
            raise BadInput(
                page,
                None,
                f"the picture {picture['file']} has no drawing of a known size.",
                'Give the file, with viewBox="0 0 WIDTH HEIGHT" in its <svg>.',
            )
        size = f'width="{float(box["width"]):.0f}" height="{float(box["height"]):.0f}"'
        return f'<img{picture["before"]} {size} src="{picture["file"]}"'

    def filed(picture: re.Match) -> str:
        files.append(page.with_name(f"{page.stem}-{len(files) + 1}.png"))
        files[-1].write_bytes(b64decode(picture["data"]))
        return f' src="{files[-1].name}"'

    for page in site.rglob("*.html"):
        html, files = page.read_text(encoding="utf-8"), []
        if (whole := HELD.sub(filed, PICTURE.sub(sized, html))) != html:
            page.write_text(whole, encoding="utf-8")
