"""`LazyAdamGSOptimizer`: Adam that updates only rows with gradients, and takes its powers from the global step."""

from __future__ import annotations

from tf2bridge.contrib.opt.adam_gs_optimizer import AdamGSOptimizer
from tf2bridge.contrib.opt.lazy_adam_optimizer import SparseRows


class LazyAdamGSOptimizer(SparseRows, AdamGSOptimizer):
    """`AdamGSOptimizer` whose moments change only in the rows that a sparse gradient names."""
