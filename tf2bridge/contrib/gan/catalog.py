"""`tf.contrib.gan`, with the modules that its names are of."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.gan"
_HERE = "tf2bridge.contrib.gan"
_PRIVATE = f"{_PATH}.python"

_TUPLES = "GANModel InfoGANModel ACGANModel CycleGANModel StarGANModel GANLoss CycleGANLoss GANTrainOps GANTrainSteps"
_MODELS = "gan_model infogan_model acgan_model cyclegan_model"
_STARGAN = "stargan_model stargan_loss"
_TRAINING = "RunTrainOpsHook gan_train get_joint_train_hooks get_sequential_train_hooks get_sequential_train_steps"
_TRAIN = f"{_MODELS} {_STARGAN} gan_loss cyclegan_loss gan_train_ops {_TRAINING}"

_ADVERSARIAL = (
    "acgan_discriminator_loss acgan_generator_loss least_squares_discriminator_loss least_squares_generator_loss "
    "minimax_discriminator_loss minimax_generator_loss modified_discriminator_loss modified_generator_loss "
    "wasserstein_discriminator_loss wasserstein_generator_loss"
)
_PENALTIES = "combine_adversarial_loss cycle_consistency_loss mutual_information_penalty wasserstein_gradient_penalty"
_WRAPPERS = "stargan_discriminator_loss_wrapper stargan_generator_loss_wrapper stargan_gradient_penalty_wrapper"
_OF_MODELS = f"{_ADVERSARIAL} {_PENALTIES} {_WRAPPERS}"

_CLIPPING = "clip_discriminator_weights clip_variables"
_CONDITIONING = "condition_tensor condition_tensor_from_onehot"

_SUMMARIES = (
    "add_cyclegan_image_summaries add_gan_model_image_summaries add_gan_model_summaries "
    "add_image_comparison_summaries add_regularization_loss_summaries add_stargan_image_summaries"
)
_GRIDS = "image_grid image_reshaper"
_INCEPTION = (
    "INCEPTION_DEFAULT_IMAGE_SIZE get_graph_def_from_disk get_graph_def_from_resource get_graph_def_from_url_tarball "
    "preprocess_image run_image_classifier run_inception"
)
_SCORES = (
    "classifier_score classifier_score_from_logits diagonal_only_frechet_classifier_distance_from_activations "
    "frechet_classifier_distance frechet_classifier_distance_from_activations frechet_inception_distance "
    "inception_score mean_only_frechet_classifier_distance_from_activations"
)

_EVAL = f"{_PATH}.eval"
_ESTIMATOR = f"{_PATH}.estimator"
_LOSSES = f"{_PRIVATE}.losses.python"
_FEATURES = f"{_PRIVATE}.features.python"
_SCORING = f"{_PRIVATE}.eval.python"
_CONSTANTS = "INCEPTION_URL INCEPTION_FROZEN_GRAPH INCEPTION_INPUT INCEPTION_OUTPUT INCEPTION_FINAL_POOL"

OWN = {
    **names(_PATH, f"{_HERE}.namedtuples", _TUPLES),
    **names(_PATH, f"{_HERE}.train.models", _MODELS),
    **names(_PATH, f"{_HERE}.train.stargan", _STARGAN),
    **names(_PATH, f"{_HERE}.train.model_loss", "gan_loss cyclegan_loss"),
    **names(_PATH, f"{_HERE}.train.train_ops", "gan_train_ops"),
    **names(_PATH, f"{_HERE}.train.hooks", _TRAINING),
    **names(f"{_PATH}.losses", f"{_HERE}.losses.tuple_losses", _OF_MODELS),
    **names(f"{_PATH}.losses.wargs", f"{_HERE}.losses.wargs", _ADVERSARIAL),
    **names(f"{_PATH}.losses.wargs", f"{_HERE}.losses.penalties", _PENALTIES),
    **names(f"{_PATH}.features", f"{_HERE}.features.clip_weights", "clip_discriminator_weights clip_variables"),
    **names(
        f"{_PATH}.features", f"{_HERE}.features.conditioning_utils", "condition_tensor condition_tensor_from_onehot"
    ),
    **names(f"{_PATH}.features", f"{_HERE}.features.random_tensor_pool", "tensor_pool"),
    **names(f"{_PATH}.features", f"{_HERE}.features.virtual_batchnorm", "VBN"),
    **names(f"{_EVAL}.summaries", f"{_HERE}.eval.summaries", _SUMMARIES),
    **names(f"{_EVAL}.eval_utils", f"{_HERE}.eval.eval_utils", _GRIDS),
    **names(f"{_EVAL}.classifier_metrics", f"{_HERE}.eval.inception", _INCEPTION),
    **names(f"{_EVAL}.classifier_metrics", f"{_HERE}.eval.classifier_metrics", _SCORES),
    **names(_EVAL, f"{_HERE}.eval.sliced_wasserstein", "sliced_wasserstein_distance"),
    **names(_ESTIMATOR, f"{_HERE}.estimator.gan_estimator", "GANEstimator StarGANEstimator SummaryType"),
    **names(f"{_ESTIMATOR}.head", f"{_HERE}.estimator.head", "GANHead gan_head"),
    **names(f"{_SCORING}.classifier_metrics_impl", f"{_HERE}.eval.inception", _CONSTANTS),
    **names(f"{_SCORING}.classifier_metrics_impl", f"{_HERE}.eval.classifier_metrics", "trace_sqrt_product"),
}

ALIASES = {
    **same(_EVAL, f"{_EVAL}.summaries", _SUMMARIES),
    **same(_EVAL, f"{_EVAL}.eval_utils", _GRIDS),
    **same(_EVAL, f"{_EVAL}.classifier_metrics", f"{_INCEPTION} {_SCORES}"),
    **same(_ESTIMATOR, f"{_ESTIMATOR}.head", "GANHead gan_head"),
    **same(f"{_ESTIMATOR}.gan_estimator", _ESTIMATOR, "GANEstimator SummaryType"),
    **same(f"{_ESTIMATOR}.stargan_estimator", _ESTIMATOR, "StarGANEstimator SummaryType"),
    **same(f"{_PRIVATE}.namedtuples", _PATH, _TUPLES),
    **same(f"{_PRIVATE}.train", _PATH, _TRAIN),
    **same(f"{_PRIVATE}.losses", f"{_PATH}.losses", _OF_MODELS),
    **same(f"{_PRIVATE}.features", f"{_PATH}.features", f"{_CLIPPING} {_CONDITIONING} tensor_pool VBN"),
    **same(f"{_PRIVATE}.eval", _EVAL, f"{_SUMMARIES} {_GRIDS} {_INCEPTION} {_SCORES} sliced_wasserstein_distance"),
    **same(f"{_PRIVATE}.estimator", _ESTIMATOR, "GANEstimator StarGANEstimator SummaryType GANHead"),
    **{
        name: target
        for suffix in ("", "_impl")
        for name, target in {
            **same(f"{_LOSSES}.tuple_losses{suffix}", f"{_PATH}.losses", _OF_MODELS),
            **same(f"{_FEATURES}.clip_weights{suffix}", f"{_PATH}.features", _CLIPPING),
            **same(f"{_FEATURES}.conditioning_utils{suffix}", f"{_PATH}.features", _CONDITIONING),
            **same(f"{_FEATURES}.random_tensor_pool{suffix}", f"{_PATH}.features", "tensor_pool"),
            **same(f"{_FEATURES}.virtual_batchnorm{suffix}", f"{_PATH}.features", "VBN"),
            **same(f"{_SCORING}.summaries{suffix}", f"{_EVAL}.summaries", _SUMMARIES),
            **same(f"{_SCORING}.eval_utils{suffix}", f"{_EVAL}.eval_utils", _GRIDS),
            **same(f"{_SCORING}.classifier_metrics{suffix}", f"{_EVAL}.classifier_metrics", f"{_INCEPTION} {_SCORES}"),
            **same(f"{_SCORING}.sliced_wasserstein{suffix}", _EVAL, "sliced_wasserstein_distance"),
            **same(f"{_PRIVATE}.estimator.python.gan_estimator{suffix}", _ESTIMATOR, "GANEstimator SummaryType"),
            **same(
                f"{_PRIVATE}.estimator.python.stargan_estimator{suffix}",
                _ESTIMATOR,
                "StarGANEstimator SummaryType",
            ),
            **same(f"{_PRIVATE}.estimator.python.head{suffix}", f"{_ESTIMATOR}.head", "GANHead gan_head"),
        }.items()
    },
    **same(f"{_LOSSES}.losses_impl", f"{_PATH}.losses.wargs", f"{_ADVERSARIAL} {_PENALTIES}"),
    **same(f"{_LOSSES}.losses_wargs", f"{_PATH}.losses.wargs", f"{_ADVERSARIAL} {_PENALTIES}"),
}
