"""Gives tf_keras the behaviour of the tf.keras of a 1.x release, for the whole process."""

from __future__ import annotations

from tf2bridge.behaviour import old_state
from tf2bridge.behaviour.old_keras import (
    activity,
    backend,
    batch_logs,
    callbacks,
    checks,
    clipping,
    configs,
    counts,
    crops,
    defaults,
    descriptions,
    eager_models,
    fed_inputs,
    files,
    first_convolutions,
    first_optimizers,
    flags,
    fourier_features,
    generic_names,
    images,
    inputs,
    known_inputs,
    lambdas,
    layers,
    logits,
    loss_weights,
    losses,
    metric_names,
    model_calls,
    models,
    names,
    number_types,
    optimizers,
    own_nodes,
    policies,
    positions,
    random,
    regularizers,
    running_means,
    scoped_layers,
    shared_layers,
    summary,
    training_names,
    weight_order,
    wide_deep,
)
from tf2bridge.behaviour.old_ops import wording
from tf2bridge.behaviour.release import Release

_PARTS = (
    names,
    layers,
    random,
    models,
    optimizers,
    configs,
    counts,
    files,
    images,
    inputs,
    flags,
    checks,
    metric_names,
    batch_logs,
    eager_models,
    model_calls,
    policies,
    generic_names,
    fed_inputs,
    crops,
    descriptions,
    fourier_features,
    wide_deep,
    known_inputs,
    own_nodes,
)
_BY_RELEASE = (
    *(callbacks, losses, logits, loss_weights, clipping, activity, defaults, lambdas, positions),
    *(running_means, shared_layers, scoped_layers, regularizers, weight_order),
    *(backend, first_convolutions, first_optimizers, training_names, summary, number_types),
)


def install(release: Release) -> None:
    """Changes tf_keras, which must be importable."""
    for part in _PARTS:
        part.install()
    for changed in _BY_RELEASE:
        changed.install(release)
    old_state.install_in_keras()
    wording.install_table(wording.OF_KERAS)
