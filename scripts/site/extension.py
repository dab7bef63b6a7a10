"""The guide's Markdown extension: outputs on a GPU, names of files, captions, cells, and links to the glossary."""

from markdown import Extension, Markdown

from scripts.site.captions import Captions
from scripts.site.cells import Cells, Words
from scripts.site.gpu_outputs import GpuOutputs
from scripts.site.listings import Directives, FileNames
from scripts.site.terms import Terms


class GuideExtension(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        """Numbers are priorities: of each kind the highest comes first."""
        md.preprocessors.register(GpuOutputs(md), "gpu_outputs", 36)
        md.preprocessors.register(FileNames(md), "file_names", 34)  # before the evidence (33) and the includes (32)
        md.treeprocessors.register(Captions(md), "captions", 15)  # after inline text (20), before the headings' ids (5)
        md.treeprocessors.register(Cells(md), "cells", 14)
        md.treeprocessors.register(Terms(md), "terms", 4)  # before MkDocs looks links up (0)
        md.postprocessors.register(Words(md), "words", 35)  # before listings are in their places (30)
        md.postprocessors.register(Directives(md), "directives", 2)  # when the fences are in place


def makeExtension(**kwargs) -> GuideExtension:
    return GuideExtension(**kwargs)
