"""Names of relations to vectors: MiniLM by numpy beside sentence-transformers, in turn, on one thread."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.tables import median, table
from pylf.models.encoders.minilm import INSTALL, installed_folder
from pylf.models.encoders.needs import has

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROOT = Path(__file__).resolve().parents[1]
_NAMES = 1_000
_ROUNDS = 7
#: both are to work on one thread: BLAS, OpenMP, and what splits texts into tokens
_ONE_THREAD = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "TOKENIZERS_PARALLELISM": "false",
    "HF_HUB_OFFLINE": "1",
}
_SCRIPT = """
import json, sys, time
from pylf.models.encoders.minilm import MiniLM, installed_folder
names, rounds, both = json.load(sys.stdin)
minilm = MiniLM()
ways = {"numpy": minilm.encode}
if both:
    import torch
    from sentence_transformers import SentenceTransformer
    torch.set_num_threads(1)
    model = SentenceTransformer(str(installed_folder()), device="cpu")
    ways["sentence-transformers"] = lambda texts: model.encode(texts, show_progress_bar=False)
found = {way: [] for way in ways}
vectors = {}
for turn in range(rounds + 1):
    for way, encode in ways.items():
        wall, used = time.perf_counter(), time.process_time()
        vectors[way] = encode(names)
        if turn:
            found[way].append([time.perf_counter() - wall, time.process_time() - used])
one, *others = vectors.values()
apart = max((float(abs(one - other).max()) for other in others), default=0.0)
print(json.dumps([found, apart]))
"""


def report(relations: Sequence[str]) -> str:
    """The table, as Markdown. ``relations`` are IRIs."""
    if installed_folder() is None or not all(map(has, ("numpy", "tokenizers", "safetensors"))):
        return f"Not measured: MiniLM is not here ({INSTALL}, and pip install 'pylf-kgqa[vectors]')."
    names = [_name(iri) for iri in relations[:: max(1, len(relations) // _NAMES)][:_NAMES]]
    both = has("torch") and has("sentence_transformers")
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        input=json.dumps([names, _ROUNDS, both]),
        cwd=_ROOT,
        env={**os.environ, **_ONE_THREAD},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    found, apart = json.loads(done.stdout)
    least = median(wall for wall, _ in found.get("sentence-transformers", ()) or [(float("nan"), 0.0)])
    rows = []
    for way, times in found.items():
        wall, used = (median(column) for column in zip(*times, strict=True))
        ours = both and way == "numpy"
        ratio = f"{wall / least:.2f}" if both else ""
        rows.append([_TITLES[way], f"{wall:.2f}", f"{used:.2f}", ratio, "≤ 1.3" if ours else ""])
    words = (
        f"{len(names):,} names of relations, all-MiniLM-L6-v2 on one thread, the median of {_ROUNDS} rounds in turn in "
        "one process, after one that does not count; nothing is kept."
    )
    beside = (
        f" No number of a vector differs by more than {apart:.0e}."
        if both
        else " sentence-transformers is not installed here, so its row is left out (pip install torch "
        "sentence-transformers)."
    )
    return f"{words}{beside}\n\n{table(['seconds', 'wall', 'processor', 'ratio of walls', 'goal'], rows)}"


_TITLES = {"numpy": "pylf, by numpy", "sentence-transformers": "sentence-transformers, by torch"}


def _name(iri: str) -> str:
    """What a relation is called: the last words of its IRI."""
    return iri.rpartition("/")[2].replace(".", " ").replace("_", " ")
