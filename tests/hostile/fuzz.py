"""Reads altered files for a given time and keeps what should never be.

    python -m tests.hostile.fuzz MINUTES FOLDER [SEED]

A find is an exception that is no error of ours, more than one line, no end within 20 seconds, more than 1 GB, or the
death of the process. The files of each find are kept in FOLDER, with a line in FOLDER/finds.jsonl.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.hostile.mutations import altered
from tests.hostile.readers import GOOD
from tests.hostile.served import Server
from tests.hostile.sound import all_seeds


def fuzz(minutes: float, kept: Path, start: int) -> Counter[str]:
    """Returns how many files came to each kind of end."""
    kept.mkdir(parents=True, exist_ok=True)
    server, ends, known = Server(), Counter[str](), set[str]()
    deadline = time.monotonic() + 60 * minutes
    with tempfile.TemporaryDirectory() as scratch:
        seeds, folder = all_seeds(Path(scratch) / "sound"), Path(scratch) / "altered"
        number = 0
        while time.monotonic() < deadline:
            number += 1
            for seed in seeds:
                key = f"{seed.name} {seed.reader} {start} {number}"
                content = altered(seed, random.Random(key))
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                path = seed.written(content, folder)
                result = server.outcome(seed.reader, path)
                end = result.partition(":")[0]
                ends[f"{seed.name} {end}"] += 1
                if not result.startswith(GOOD):
                    name = re.sub(r"[0-9]+", "N", f"{seed.reader} {result}")[:140]
                    ends["FINDS"] += 1
                    if name not in known:
                        known.add(name)
                        shutil.copytree(folder, kept / key.replace(" ", "_"), dirs_exist_ok=True)
                        with (kept / "finds.jsonl").open("a") as file:
                            file.write(
                                json.dumps({"key": key, "found": result, "seconds": round(server.took, 2)}) + "\n"
                            )
                            file.flush()
    server.close()
    return ends


if __name__ == "__main__":
    for end, count in sorted(
        fuzz(float(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if sys.argv[3:] else 0).items()
    ):
        print(count, end)
