"""The same run as a pipeline of Apache Beam. Its elements are items, never tensors; the work is that of `running`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tf2bridge.fleet import results, running, store
from tf2bridge.fleet.refusals import FleetError
from tf2bridge.fleet.tasks import Setup, task_of
from tf2bridge.fleet.warm import Warm


def run(setup: Setup, inventory: Path, options: Sequence[str]) -> results.Summary:
    """Does what `running.run` does, on Beam; every worker must see the items and the folder of the run.

    Args:
        setup: the command, the folder of the run, and the limits of an item.
        inventory: the file with the items.
        options: Beam's options. Without --runner, the pipeline runs in this process.

    Raises:
        FleetError: The pipeline has failed. What it has done stays done.
    """
    import apache_beam
    from apache_beam.io import ReadFromText
    from apache_beam.options.pipeline_options import PipelineOptions, StandardOptions
    from apache_beam.runners.portability.fn_api_runner import FnApiRunner

    class OnBeam(Work, apache_beam.DoFn):  # type: ignore[misc]  # Beam has no types
        pass

    chosen = PipelineOptions(list(options))
    runner = FnApiRunner() if chosen.view_as(StandardOptions).runner is None else None  # DirectRunner may fetch Prism
    with running.opened(setup, inventory) as (_, tasks):
        elements = setup.out / store.TASKS
        with elements.open("wb") as file:
            file.writelines(task.line for task in tasks)
        try:
            pipeline = apache_beam.Pipeline(runner=runner, options=chosen)
            work = pipeline | "items" >> ReadFromText(str(elements))
            _ = work | "spread" >> apache_beam.Reshuffle() | "work" >> apache_beam.ParDo(OnBeam(setup))
            pipeline.run().wait_until_finish()
        except Exception as error:
            raise FleetError(f"Beam: {str(error).strip().splitlines()[0]}; what is done stays done") from error
        elements.unlink()
    return results.write(setup.out, setup.do, inventory)


class Work:
    """The methods of a `DoFn`, which does an item in a process of its own. What is delivered twice is done once."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._warm: Warm | None = None

    def setup(self) -> None:
        """Opens the journal of this worker."""
        self._journal = store.Journal(self._setup.out)

    def process(self, element: str) -> Iterator[Any]:
        """Yields the verdict of an item."""
        self._warm = self._warm or Warm(self._setup)
        for answer in itertools.chain.from_iterable(self._warm.work([task_of(element.encode("ascii"))])):
            if answer.stop is not None:
                raise FleetError(answer.stop)
            self._journal.write(answer.dumps())
            if answer.verdict is not None:
                yield answer.verdict

    def teardown(self) -> None:
        """Ends the warm process."""
        self._journal.close()
        if self._warm is not None:
            self._warm.close()
