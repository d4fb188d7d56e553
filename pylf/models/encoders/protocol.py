"""What an encoder is: texts in, vectors of norm 1 out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pylf.errors import InputError, printable
from pylf.models.encoders.needs import require

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    #: of shape (number of texts, dimension)
    Vectors: TypeAlias = NDArray[np.float32]


class Encoder(Protocol):
    """Makes vectors of texts. The same text has the same vector, whatever stands beside it (up to rounding)."""

    @property
    def name(self) -> str:
        """What users know the model by."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        ...

    @property
    def identity(self) -> str:
        """Everything that the vectors depend on (weights by hash, pooling, longest text), on one line: what goes into
        the keys of caches, the records of runs, and beside an index. Two encoders of one identity agree."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The vectors of texts: float32, of shape (len(texts), dimension), each row of norm 1.

        Raises:
            InputError: the model gives a vector that has no direction (zero, or with a NaN).
        """
        ...


def unit_rows(vectors: Vectors, model: str, names: Sequence[str] = (), first: int = 0) -> Vectors:
    """The vectors divided by their norms; ``first`` is the number of the first row, ``names`` are the rows' names.

    Raises:
        InputError: a row is zero, or holds a NaN or an infinity; tells the row and whose it is.
    """
    require(("numpy",), "making vectors")
    import numpy as np

    rows = np.ascontiguousarray(vectors, dtype=np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        wide = np.einsum("ij,ij->i", rows, rows, dtype=np.float64)
    bad = np.flatnonzero(~np.isfinite(wide) | (wide <= 0.0))
    if bad.size:
        row = int(bad[0])
        whose = f" ({printable(names[row])!r})" if row < len(names) else ""
        what = "is zero" if wide[row] == 0.0 else "holds a NaN or an infinity"
        raise InputError(f"row {first + row}{whose}: its vector {what}, so it has no direction (model {model})")
    normalised: Vectors = (rows / np.sqrt(wide)[:, None]).astype(np.float32)
    return normalised
