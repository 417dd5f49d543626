"""The loop that takes the place of a Supervisor: `python checkpointed_loop.py DIRECTORY STEPS [LOGDIR]`.

It goes on from the last checkpoint in DIRECTORY; where there is none, from the last one of a Supervisor in LOGDIR.
"""

import sys

import model
import tensorflow as tf

import tf2bridge

directory, steps, *logdirs = sys.argv[1:]
specs = {"x": tf.TensorSpec([None, 4]), "label": tf.TensorSpec([None], tf.int32)}
module = tf2bridge.wrap(model.build_training, inputs=specs)
train_step = module.function(["x", "label"], ["loss", "train_op"])
(number,) = [variable for variable in module.variables if variable.name == "global_step:0"]

checkpoint = tf.train.Checkpoint(module=module)
manager = tf.train.CheckpointManager(checkpoint, directory, max_to_keep=5, step_counter=number, checkpoint_interval=5)
if manager.latest_checkpoint:
    checkpoint.restore(manager.latest_checkpoint).assert_consumed()
elif logdirs and (latest := tf.train.latest_checkpoint(logdirs[0])):
    module.restore(latest)

with tf.summary.create_file_writer(directory).as_default():
    while number < int(steps):
        loss, _ = train_step(*model.batch(int(number)))
        tf.summary.scalar("loss", loss, step=number)
        print(int(number), float(loss), flush=True)
        manager.save(checkpoint_number=int(number))
manager.save(checkpoint_number=int(number), check_interval=False)
module.save(f"{directory}/as-legacy")
