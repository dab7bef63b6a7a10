"""Times that others have printed: the typed model of `snippets/measured/claims.yml`."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, PositiveFloat, PositiveInt

from scripts.errors import BadInput, did_you_mean
from scripts.measure.cases import elementwise_product
from scripts.measure.limits import Device, Work
from scripts.models import Strict, load_model
from scripts.paths import MEASURED, shown

CLAIMS = MEASURED / "claims.yml"


class Row(Strict):
    """One printed time.

    `moved` says what was said to move: nothing on a GPU, everything, the result, or only the device's memory.
    """

    what: str
    seconds: PositiveFloat
    moved: Literal["none", "both", "result", "device"]
    wrong: str


class Claim(Strict):
    source: str
    device: str
    passes: PositiveInt
    pairs: PositiveInt
    rows: Annotated[list[Row], Field(min_length=1)]

    def work(self, row: Row) -> Work | None:
        """What one pass of this row must do on the device."""
        size = 4 * self.pairs
        return {
            "none": None,
            "both": elementwise_product(self.pairs, moved=True, overlapped=False),
            "result": Work(flop=self.pairs, device_bytes=4 * size, to_host_bytes=size),
            "device": elementwise_product(self.pairs, moved=False),
        }[row.moved]


class _Claims(Strict):
    claims: list[Claim]


def load_claims(limits: dict[str, Device], path: Path = CLAIMS) -> list[Claim]:
    """Every claim. Raises BadInput for a fault, also for a device without limits."""
    found, lines = load_model(path, _Claims, "See scripts/measure/claims.py for what may stand here.")
    for place, claim in enumerate(found.claims):
        if claim.device not in limits:
            what, cure = f"limits.yml has no device {claim.device}.", did_you_mean(claim.device, list(limits))
            raise BadInput(shown(path), lines["claims", place, "device"], what, cure)
    return found.claims
