"""Stand-ins for the tests: PyPI's torchvision cannot load its compiled operators beside a CPU build of torch.

Its operators are declared, without code, just before torchvision is imported; and the check sums of CIFAR-10's
files are not asked for, because the tests' files are small ones. Everything else is torchvision's own.
"""

import importlib.abc
import sys


class BeforeTorchvision(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "torchvision" and not hasattr(sys, "torchvision_operators"):  # who looks for it may import it later
            import torch

            if not torch.version.cuda and not torch.version.hip:
                library = torch.library.Library("torchvision", "DEF")
                library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
                library.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
                sys.torchvision_operators = library  # kept alive as long as the program
        if name == "torchvision.datasets.cifar":
            import torchvision.datasets.utils as utils

            utils.check_integrity = lambda path, md5=None: True
        return None


sys.meta_path.insert(0, BeforeTorchvision())
