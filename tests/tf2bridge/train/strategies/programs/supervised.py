"""The same model under a Supervisor, as in 2017: `tf2bridge run supervised.py LOGDIR STEPS` trains on, up to STEPS."""

import sys

import model
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4], "x")
label = tf.placeholder(tf.int32, [None], "label")
built = model.build_training(x, label)
tf.summary.scalar("loss", built["loss"])
step = tf.train.get_global_step()
supervisor = tf.train.Supervisor(logdir=sys.argv[1], save_model_secs=0, summary_op=None)
with supervisor.managed_session() as session:
    number = session.run(step)
    while not supervisor.should_stop() and number < int(sys.argv[2]):
        rows, labels = model.batch(number)
        _, loss, number = session.run([built["train_op"], built["loss"], step], {x: rows, label: labels})
        print(number, loss)
    supervisor.saver.save(session, supervisor.save_path, step)
