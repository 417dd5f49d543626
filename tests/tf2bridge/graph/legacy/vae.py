"""A variational autoencoder in the style of 2016: weights in dicts, noise in the graph, an interactive session."""

import numpy as np

from tf2bridge import v1 as tf


def xavier_init(fan_in, fan_out, constant=1):
    low = -constant * np.sqrt(6.0 / (fan_in + fan_out))
    high = constant * np.sqrt(6.0 / (fan_in + fan_out))
    return tf.random_uniform((fan_in, fan_out), minval=low, maxval=high, dtype=tf.float32)


class VariationalAutoencoder(object):
    def __init__(self, network_architecture, transfer_fct=tf.nn.softplus, learning_rate=0.01, batch_size=4):
        self.network_architecture = network_architecture
        self.transfer_fct = transfer_fct
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        tf.set_random_seed(5)
        self.x = tf.placeholder(tf.float32, [None, network_architecture["n_input"]])
        self._create_network()
        self._create_loss_optimizer()
        self.sess = tf.InteractiveSession()
        self.sess.run(tf.global_variables_initializer())

    def _create_network(self):
        weights = self._initialize_weights(**self.network_architecture)
        self.z_mean, self.z_log_sigma_sq = self._recognition_network(weights["recog"])
        n_z = self.network_architecture["n_z"]
        eps = tf.random_normal((self.batch_size, n_z), 0, 1, dtype=tf.float32)
        self.z = tf.add(self.z_mean, tf.multiply(tf.sqrt(tf.exp(self.z_log_sigma_sq)), eps))
        self.x_reconstr_mean = self._generator_network(weights["gener"])

    def _initialize_weights(self, n_hidden, n_input, n_z):
        return {
            "recog": {
                "h1": tf.Variable(xavier_init(n_input, n_hidden)),
                "b1": tf.Variable(tf.zeros([n_hidden], dtype=tf.float32)),
                "out_mean": tf.Variable(xavier_init(n_hidden, n_z)),
                "out_log_sigma": tf.Variable(xavier_init(n_hidden, n_z)),
            },
            "gener": {
                "h1": tf.Variable(xavier_init(n_z, n_hidden)),
                "b1": tf.Variable(tf.zeros([n_hidden], dtype=tf.float32)),
                "out": tf.Variable(xavier_init(n_hidden, n_input)),
            },
        }

    def _recognition_network(self, weights):
        layer = self.transfer_fct(tf.add(tf.matmul(self.x, weights["h1"]), weights["b1"]))
        return tf.matmul(layer, weights["out_mean"]), tf.matmul(layer, weights["out_log_sigma"])

    def _generator_network(self, weights):
        layer = self.transfer_fct(tf.add(tf.matmul(self.z, weights["h1"]), weights["b1"]))
        return tf.nn.sigmoid(tf.matmul(layer, weights["out"]))

    def _create_loss_optimizer(self):
        reconstr_loss = -tf.reduce_sum(
            self.x * tf.log(1e-10 + self.x_reconstr_mean) + (1 - self.x) * tf.log(1e-10 + 1 - self.x_reconstr_mean), 1
        )
        latent_loss = -0.5 * tf.reduce_sum(
            1 + self.z_log_sigma_sq - tf.square(self.z_mean) - tf.exp(self.z_log_sigma_sq), 1
        )
        self.cost = tf.reduce_mean(reconstr_loss + latent_loss)
        self.optimizer = tf.train.AdamOptimizer(learning_rate=self.learning_rate).minimize(self.cost)

    def partial_fit(self, X):
        _, cost = self.sess.run((self.optimizer, self.cost), feed_dict={self.x: X})
        return cost

    def transform(self, X):
        return self.sess.run(self.z_mean, feed_dict={self.x: X})

    def generate(self, z_mu):
        return self.sess.run(self.x_reconstr_mean, feed_dict={self.z: z_mu})

    def reconstruct(self, X):
        return self.x_reconstr_mean.eval(feed_dict={self.x: X})
