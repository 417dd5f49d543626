"""All changes that make TensorFlow 2 behave as a release of TensorFlow 1.x, in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tf2bridge.patching import on_undo

if TYPE_CHECKING:
    from tf2bridge.behaviour.release import Release


class Part(Protocol):
    """A module of changes. `install` makes them; they belong to the open PatchSet."""

    def install(self) -> None: ...


def install(release: Release) -> None:
    """Makes all changes of a release, except v2 behaviour, which `enable` turns off.

    The changes belong to the open PatchSet. TensorFlow is imported here at the latest.
    """
    from tf2bridge.behaviour import seeds

    for (major, minor), early in _early().items():
        if release.before(major, minor):
            _install(early)
    seeds.install(release.asked)
    on_undo(seeds.uninstall)
    _install(_always())


def install_process_wide() -> None:
    """Makes the changes that only a whole process can have: names of parameters, and where operations are placed."""
    from tf2bridge.behaviour.old_ops import placement, signatures

    _install((signatures, placement))


def _install(parts: tuple[Part, ...]) -> None:
    for part in parts:
        part.install()


def _early() -> dict[tuple[int, int], tuple[Part, ...]]:
    """Returns release -> the differences of TensorFlow before it, which hold for all namespaces."""
    from tf2bridge.behaviour.old_ops import (
        adadelta,
        boolean_flags,
        default_initializer,
        first_files,
        flattened_labels,
        ftrl,
        initial_scales,
        operators,
        overloads,
        pooled_places,
        slots,
        sparse_shape,
    )

    return {
        (1, 0): (operators, default_initializer, sparse_shape, slots),
        (1, 1): (first_files,),
        (1, 5): (adadelta, boolean_flags, flattened_labels),
        (1, 10): (initial_scales,),
        (1, 11): (ftrl,),
        (1, 14): (pooled_places,),
        (1, 15): (overloads,),
    }


def _always() -> tuple[Part, ...]:
    """Returns what TensorFlow did otherwise in all of 1.x, in the order in which it is installed."""
    from tf2bridge.behaviour import old_state
    from tf2bridge.behaviour.old_ops import (
        assertions,
        calls,
        cardinality,
        casts,
        checked_gradients,
        compiled,
        conversion,
        data_options,
        decompositions,
        default_types,
        dimensions,
        edge_values,
        first_types,
        gamma_shapes,
        generators,
        globs,
        graph_defs,
        integer_kernels,
        library_flags,
        moments,
        nodes,
        objects_in_arrays,
        powers,
        prefetching,
        ragged_rows,
        reduced_axes,
        refused_values,
        regularization,
        resource_variables,
        session_errors,
        shapes,
        sparse_lookups,
        string_splits,
        sums,
        tridiagonal,
        user_functions,
        weights,
        wider_types,
        wording,
    )

    return (
        *(regularization, dimensions, shapes, wording, graph_defs, session_errors, user_functions, compiled, nodes),
        *(
            calls,
            data_options,
            prefetching,
            cardinality,
            generators,
            resource_variables,
            objects_in_arrays,
            sums,
            first_types,
            powers,
            edge_values,
            casts,
        ),
        *(integer_kernels, wider_types, default_types, decompositions, reduced_axes, moments),
        *(sparse_lookups, assertions, conversion, gamma_shapes, globs, library_flags, string_splits, refused_values),
        *(weights, ragged_rows, checked_gradients, tridiagonal),
        old_state,
    )
