"""Faults of what the target native writes, each a change of a rewritten program of fixtures/sessions."""

from __future__ import annotations

from tests.tf2bridge.native.faults import Change

# ruff: noqa: E501 - the lines of the changed programs


def _change(program: str, old: str, new: str, named: str) -> Change:
    """Returns a change of the script of a program, and what the report must name."""
    return Change(program, "train.py" if program in ("word2vec", "two_files") else f"{program}.py", old, new, named)


REWRITTEN_FAULTS = {
    # batch normalization
    "missing_update": _change("normalized", "average.assign_sub((average - value) * part)", "pass", "moving_mean"),
    "updates_not_run": _change("normalized", "            for update in updates:\n                update()\n", "", "moving_mean"),
    "norm_momentum": _change("normalized", "momentum=0.8", "momentum=0.9", "fc2/bn2/moving"),
    "norm_epsilon": _change("normalized", "epsilon=1e-4", "epsilon=1e-3", "normalized.py"),
    "biased_variance": _change("normalized", "batch[:2] if training", "(batch[0], batch[1] * 0.8) if training", "moving_variance"),
    "evaluated_as_training": _change("normalized", "fc2_bn3(tf.nn.tanh(bn2), is_training_value)", "fc2_bn3(tf.nn.tanh(bn2), True)", "normalized.py"),
    "trained_as_evaluation": _change("normalized", "labels[rows], True)", "labels[rows], False)", "normalized.py"),
    "not_counted": _change("normalized", "            self.global_step.assign_add(1)\n", "", "global_step"),
    "nesterov": _change("normalized", "use_nesterov=self.use_nesterov)\n\n    def sparse", "use_nesterov=True)\n\n    def sparse", "normalized.py"),
    # optimizers and penalties
    "adam_epsilon": _change("penalties", "epsilon=1e-08", "epsilon=1e-04", "penalties.py"),
    "adam_beta": _change("penalties", "beta2=0.999", "beta2=0.99", "penalties.py"),
    "adam_powers": _change("penalties", "self.beta1_power * self.beta1)", "self.beta1_power * self.beta1 * self.beta1)", "penalties.py"),
    "penalty_not_halved": _change("penalties", "scale * tf.nn.l2_loss(weights)", "scale * tf.reduce_sum(tf.square(weights))", "penalties.py"),
    "penalty_of_other_weights": _change("penalties", "losses.append(l2_regularizer(REGULARIZER)(w2))", "losses.append(l2_regularizer(REGULARIZER)(w1))", "penalties.py"),
    "summed_loss": _change("penalties", "tf.reduce_mean(tf.square(y - y_))", "tf.reduce_sum(tf.square(y - y_))", "penalties.py"),
    "momentum_of_keras": _change("two_files", "momentum=tf.cast(self.momentum, var.dtype), use_nesterov", "momentum=tf.cast(self.momentum * 0.99, var.dtype), use_nesterov", "train.py"),
    "rate": _change("two_files", "Momentum(LEARNING_RATE, 0.9)", "Momentum(LEARNING_RATE / 2, 0.9)", "train.py"),
    # recurrent cells
    "keep_prob_as_rate": _change("dropped", "rate=1 - keep_prob", "rate=keep_prob", "dropped.py"),
    "forget_bias": _change("dropped", "tf.sigmoid(f + self.forget_bias)", "tf.sigmoid(f)", "dropped.py"),
    "gates_swapped": _change("dropped", "r, u = tf.split", "u, r = tf.split", "dropped.py"),
    "lengths_ignored": _change("recurrent", "sequence_length=seqlen, ", "", "recurrent.py"),
    "backward_not_turned": _change("recurrent", "zip(forward, backward[::-1])", "zip(forward, backward)", "recurrent.py"),
    "memory_as_output": _change("recurrent", "states[-1].h", "states[-1].c", "recurrent.py"),
    # agents
    "target_too_fast": _change("agent", "(1 - TAU) * t + TAU * e", "TAU * t + (1 - TAU) * e", "agent.py"),
    "sign_of_loss": _change("agent", "- tf.reduce_mean(q)", "tf.reduce_mean(q)", "agent.py"),
    "no_discount": _change("agent", "R + GAMMA * q_", "R + q_", "agent.py"),
    "call_lost": _change("agent", "        self.soft_replace()\n", "", "agent:DDPG"),
    # summaries, checkpoints, data
    "wrong_axis": _change("summaries", "tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1))", "tf.equal(tf.argmax(logits, 0), tf.argmax(y, 0))", "accuracy"),
    "other_tag": _change("summaries", "'Loss/cross entropy'", "'Loss/entropy'", "Loss/cross_entropy"),
    "slots_not_saved": _change("saved", "    optimizer.slots,\n", "", "Adam"),
    "scope_without_its_number": _change("named_twice", "name_scope('layer_1')", "name_scope('layer')", "layer_1/"),
    "branch_of_the_other_call": _change("named_twice", "l1 = activation_function(Wx_plus_b)", "l1 = Wx_plus_b", "named_twice.py"),
    "log_loss_of_clicks_alone": _change("crowded", " - (1 - labels) * tf.math.log(1 - predictions + 1e-7)", "", "crowded.py"),
    "other_loss": _change("word2vec", "tf.nn.nce_loss(", "tf.nn.sampled_softmax_loss(", "train.py"),
    "norm_axis": _change("word2vec", "tf.square(embeddings), 1, keepdims=True", "tf.square(embeddings), 0, keepdims=True", "train.py"),
    "columns_swapped": _change("queued", "tf.stack([first, second])", "tf.stack([second, first])", "queued.py"),
    "smaller_last_batch": _change("queued", ", drop_remainder=True", "", "queued"),
    # supervisors and towers
    "not_gone_on": _change("supervised", "if checkpoint:", "if False:", "supervised.py"),
    "last_checkpoint_lost": _change("supervised", "    saver.save(os.path.join(train_dir, 'model.ckpt'), global_step)\n", "", "checkpoint"),
    "saved_at_other_steps": _change("hooked", "saved_step + 2", "saved_step + 3", "checkpoint"),
    "stops_a_step_late": _change("hooked", "step >= last_step", "step > last_step", "hooked.py"),
    "same_part_twice": _change("towers", "x[1 * BATCH_SIZE:(1 + 1) * BATCH_SIZE]", "x[0 * BATCH_SIZE:(0 + 1) * BATCH_SIZE]", "towers.py"),
    "towers_summed": _change("towers", "tf.reduce_mean(tf.concat(grads, 0), 0)", "tf.reduce_sum(tf.concat(grads, 0), 0)", "towers.py"),
    # formulas
    "integers_divided": _change("scaled", "x // y if x.dtype.is_integer", "-(-x // y) if x.dtype.is_integer", "scaled.py"),
    "labels_and_inputs": _change("scaled", "labels=train_labels", "labels=train_labels * 0", "scaled.py"),
    # methods that are called once
    "step_of_a_method_lost": _change("methods", "num_train_steps=6", "num_train_steps=5", "methods.py"),
    "other_rate_of_an_object": _change("methods", "Adam(self.lr)", "Adam(self.lr / 2)", "methods.py"),
    # initializers
    "same_numbers_for_two_layers": _change("shared", "initializer.clone()(shape", "initializer(shape", "the same numbers for both"),
    # collections of variables
    "other_order_of_a_collection": _change("targets", "t_params = [w1_2, b1_2, w2_2]", "t_params = [w1_2, b1_2]", "targets.py"),
    "variables_of_the_other_net": _change("targets", "e_params = [w1, b1, w2]", "e_params = [w1_2, b1_2, w2_2]", "targets.py"),
    # parts of one file
    "name_of_an_earlier_part": _change("parts", "H = X_2 * W_2", "H = X * W_2", "parts.py"),
    "variable_of_an_earlier_part": _change("parts", "tf.sigmoid(tf.matmul(X_3, W_3) + b)", "tf.sigmoid(tf.matmul(X_3, W_3) + b + 0.01 * W_2)", "parts.py"),
}  # fmt: skip
QUICK_FAULTS = ("missing_update", "keep_prob_as_rate", "wrong_axis")
"""Faults of three kinds; the others are tried with `pytest -m soak`."""
