"""The legacy program, as its first lines were in 2017: `tf2bridge run legacy.py DIRECTORY`.

It trains by momentum, and writes a checkpoint before the first step, model.ckpt-0, and after the last one.
"""

import sys

import model
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4], "x")
label = tf.placeholder(tf.int32, [None], "label")
built = model.build_training(x, label)
step = tf.train.get_global_step()
saver = tf.train.Saver(max_to_keep=None)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    saver.save(session, sys.argv[1] + "/model.ckpt", step)
    for number in range(model.STEPS):
        rows, labels = model.batch(number)
        found, _ = session.run([built["loss"], built["train_op"]], {x: rows, label: labels})
        print(number, found)
    saver.save(session, sys.argv[1] + "/model.ckpt", step)
