"""Summaries of models: their images, variables and regularization."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.gan.eval.eval_utils import image_grid, image_reshaper
from tf2bridge.contrib.gan.namedtuples import CycleGANModel

v1 = tf.compat.v1


def _check_images(*tensors: Any) -> None:
    for tensor in tensors:
        tensor.shape.assert_has_rank(4)
        tensor.shape[1:].assert_is_fully_defined()


def add_gan_model_image_summaries(gan_model: Any, grid_size: int = 4, model_summaries: bool = True) -> None:
    """Adds image summaries of `grid_size` ** 2 real and generated images, and summaries of the variables.

    Raises:
        ValueError: the model is a CycleGANModel.
    """
    if isinstance(gan_model, CycleGANModel):
        raise ValueError("the model is a CycleGANModel; use add_cyclegan_image_summaries")
    _check_images(gan_model.real_data, gan_model.generated_data)
    for name in ("real_data", "generated_data"):
        images = getattr(gan_model, name)
        _, *shape, channels = images.shape.as_list()
        grid = image_grid(images[: grid_size**2], (grid_size, grid_size), shape, channels)
        v1.summary.image(name, grid, max_outputs=1)
    if model_summaries:
        add_gan_model_summaries(gan_model)


def add_cyclegan_image_summaries(cyclegan_model: Any) -> None:
    """Adds image summaries of one image there and back, for both halves. Raises ValueError for another model."""
    if not isinstance(cyclegan_model, CycleGANModel):
        raise ValueError(f"the model is a {type(cyclegan_model).__name__}; give a CycleGANModel")
    x2y, y2x = cyclegan_model.model_x2y, cyclegan_model.model_y2x
    halves = {"x2y": (x2y, cyclegan_model.reconstructed_x), "y2x": (y2x, cyclegan_model.reconstructed_y)}
    for half, reconstructed in halves.values():
        _check_images(half.generator_inputs, half.generated_data, reconstructed)
    for name, (half, reconstructed) in halves.items():
        with v1.name_scope(f"{name}_image_comparison_summaries"):
            images = [half.generator_inputs, half.generated_data, reconstructed]
            _compare([image for batch in images for image in tf.unstack(batch[:1])], len(images))


def _compare(images: list[Any], columns: int) -> None:
    v1.summary.image("image_comparison", image_reshaper(images, num_cols=columns), max_outputs=1)


def add_image_comparison_summaries(gan_model: Any, num_comparisons: int = 2, display_diffs: bool = False) -> None:
    """Adds an image summary of inputs, generated and real images in three rows, and of differences in a fourth."""
    inputs, generated, real = gan_model.generator_inputs, gan_model.generated_data, gan_model.real_data
    _check_images(inputs, generated, real)
    generated.shape.assert_is_compatible_with(inputs.shape)
    real.shape.assert_is_compatible_with(generated.shape)
    images = [image for batch in (inputs, generated, real) for image in tf.unstack(batch[:num_comparisons])]
    if display_diffs:
        pairs = zip(tf.unstack(generated[:num_comparisons]), tf.unstack(real[:num_comparisons]), strict=True)
        images += [tf.abs(v1.to_float(first) - v1.to_float(second)) for first, second in pairs]
    _compare(images, num_comparisons)


def add_stargan_image_summaries(stargan_model: Any, num_images: int = 2, display_diffs: bool = False) -> None:
    """Adds an image summary of `num_images` images, each beside its generated images of every domain."""
    _check_images(stargan_model.input_data)
    labels = stargan_model.input_data_domain_label
    labels.shape.assert_has_rank(2)
    labels.shape[1:].assert_is_fully_defined()
    domains = labels.shape.as_list()[-1]

    def beside(image: Any) -> Any:
        images = tf.tile(tf.expand_dims(image, axis=0), [domains, 1, 1, 1])
        targets = tf.one_hot(list(range(domains)), domains)
        with v1.variable_scope(stargan_model.generator_scope, reuse=True):
            generated = stargan_model.generator_fn(images, targets)
            row = [image, *_apart(generated, domains)]
            if display_diffs:
                row += [tf.zeros_like(image), *_apart(generated - images, domains)]
            grid = image_reshaper(row, num_cols=domains + 1)
        return tf.squeeze(grid, axis=[0])

    images = stargan_model.input_data[:num_images]
    made = v1.map_fn(beside, images, parallel_iterations=num_images, back_prop=False, swap_memory=True)
    v1.summary.image("stargan_image_generation", made, max_outputs=num_images)


def _apart(images: Any, count: int) -> list[Any]:
    return [tf.squeeze(image, axis=[0]) for image in tf.split(images, count)]


def add_gan_model_summaries(gan_model: Any) -> None:
    """Adds a histogram summary of every variable; of both halves of a CycleGANModel."""
    if isinstance(gan_model, CycleGANModel):
        with v1.name_scope("cyclegan_x2y_summaries"):
            add_gan_model_summaries(gan_model.model_x2y)
        with v1.name_scope("cyclegan_y2x_summaries"):
            add_gan_model_summaries(gan_model.model_y2x)
        return
    for name in ("generator_variables", "discriminator_variables"):
        with v1.name_scope(name):
            for variable in getattr(gan_model, name):
                v1.summary.histogram(variable.name, variable)


def add_regularization_loss_summaries(gan_model: Any) -> None:
    """Adds a scalar summary of the regularization in each scope; of both halves of a CycleGANModel."""
    if isinstance(gan_model, CycleGANModel):
        with v1.name_scope("cyclegan_x2y_regularization_loss_summaries"):
            add_regularization_loss_summaries(gan_model.model_x2y)
        with v1.name_scope("cyclegan_y2x_regularization_loss_summaries"):
            add_regularization_loss_summaries(gan_model.model_y2x)
        return
    scopes = {"generator": gan_model.generator_scope, "discriminator": gan_model.discriminator_scope}
    for name, scope in scopes.items():
        if scope:
            v1.summary.scalar(f"{name}_regularization_loss", v1.losses.get_regularization_loss(scope.name))
