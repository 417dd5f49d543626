"""The named tuples that the steps of a GAN's training hand on: model, loss, train ops and numbers of steps."""

from __future__ import annotations

from typing import Any, NamedTuple


class GANModel(NamedTuple):
    """A generator and a discriminator, built: their inputs, outputs, variables, scopes and functions."""

    generator_inputs: Any
    generated_data: Any
    generator_variables: Any
    generator_scope: Any
    generator_fn: Any
    real_data: Any
    discriminator_real_outputs: Any
    discriminator_gen_outputs: Any
    discriminator_variables: Any
    discriminator_scope: Any
    discriminator_fn: Any


class InfoGANModel(NamedTuple):
    """A GANModel with structured noise, and the distributions that the discriminator predicts for this noise.

    Chen et al., "InfoGAN", 2016, https://arxiv.org/abs/1606.03657.
    """

    generator_inputs: Any
    generated_data: Any
    generator_variables: Any
    generator_scope: Any
    generator_fn: Any
    real_data: Any
    discriminator_real_outputs: Any
    discriminator_gen_outputs: Any
    discriminator_variables: Any
    discriminator_scope: Any
    discriminator_fn: Any
    structured_generator_inputs: Any
    predicted_distributions: Any
    discriminator_and_aux_fn: Any


class ACGANModel(NamedTuple):
    """A GANModel whose discriminator also classifies; logits are [batch, classes].

    Odena et al., "Auxiliary Classifier GANs", 2016, https://arxiv.org/abs/1610.09585.
    """

    generator_inputs: Any
    generated_data: Any
    generator_variables: Any
    generator_scope: Any
    generator_fn: Any
    real_data: Any
    discriminator_real_outputs: Any
    discriminator_gen_outputs: Any
    discriminator_variables: Any
    discriminator_scope: Any
    discriminator_fn: Any
    one_hot_labels: Any
    discriminator_real_classification_logits: Any
    discriminator_gen_classification_logits: Any


class CycleGANModel(NamedTuple):
    """Two GANModels that map X to Y and Y to X, and both data sets mapped there and back."""

    model_x2y: Any
    model_y2x: Any
    reconstructed_x: Any
    reconstructed_y: Any


class StarGANModel(NamedTuple):
    """A generator between several domains, and a discriminator that tells the source and the domain."""

    input_data: Any
    input_data_domain_label: Any
    generated_data: Any
    generated_data_domain_target: Any
    reconstructed_data: Any
    discriminator_input_data_source_predication: Any
    discriminator_generated_data_source_predication: Any
    discriminator_input_data_domain_predication: Any
    discriminator_generated_data_domain_predication: Any
    generator_variables: Any
    generator_scope: Any
    generator_fn: Any
    discriminator_variables: Any
    discriminator_scope: Any
    discriminator_fn: Any


class GANLoss(NamedTuple):
    """The scalar losses of the generator and of the discriminator."""

    generator_loss: Any
    discriminator_loss: Any


class CycleGANLoss(NamedTuple):
    """The GANLoss of each half of a CycleGANModel."""

    loss_x2y: Any
    loss_y2x: Any


class GANTrainOps(NamedTuple):
    """The ops of one step of the generator, of the discriminator and of the global step."""

    generator_train_op: Any
    discriminator_train_op: Any
    global_step_inc_op: Any


class GANTrainSteps(NamedTuple):
    """The numbers of generator steps and discriminator steps in one step of the GAN."""

    generator_train_steps: Any
    discriminator_train_steps: Any
