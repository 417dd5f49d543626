"""A generative adversarial network in the style of 2016: layers as functions, batch norms as objects, three methods."""

from tf2bridge import v1 as tf


class batch_norm(object):
    def __init__(self, epsilon=1e-5, momentum=0.9, name="batch_norm"):
        self.epsilon = epsilon
        self.momentum = momentum
        self.name = name

    def __call__(self, x, train=True):
        return tf.contrib.layers.batch_norm(
            x, decay=self.momentum, updates_collections=None, epsilon=self.epsilon, scale=True, is_training=train,
            scope=self.name,
        )  # fmt: skip


def conv2d(input_, output_dim, name="conv2d"):
    with tf.variable_scope(name):
        w = tf.get_variable(
            "w", [5, 5, input_.get_shape()[-1], output_dim], initializer=tf.truncated_normal_initializer(stddev=0.02)
        )
        conv = tf.nn.conv2d(input_, w, strides=[1, 2, 2, 1], padding="SAME")
        biases = tf.get_variable("biases", [output_dim], initializer=tf.constant_initializer(0.0))
        return tf.reshape(tf.nn.bias_add(conv, biases), tf.shape(conv))


def deconv2d(input_, output_shape, name="deconv2d"):
    with tf.variable_scope(name):
        w = tf.get_variable(
            "w", [5, 5, output_shape[-1], input_.get_shape()[-1]], initializer=tf.random_normal_initializer(stddev=0.02)
        )
        return tf.nn.conv2d_transpose(input_, w, output_shape=output_shape, strides=[1, 2, 2, 1])


def linear(input_, output_size, scope):
    shape = input_.get_shape().as_list()
    with tf.variable_scope(scope):
        matrix = tf.get_variable(
            "Matrix", [shape[1], output_size], tf.float32, tf.random_normal_initializer(stddev=0.02)
        )
        bias = tf.get_variable("bias", [output_size], initializer=tf.constant_initializer(0.0))
        return tf.matmul(input_, matrix) + bias


class DCGAN(object):
    def __init__(self, batch_size=4, size=8, z_dim=5, gf_dim=3, df_dim=3):
        self.batch_size, self.size, self.z_dim, self.gf_dim, self.df_dim = batch_size, size, z_dim, gf_dim, df_dim
        self.d_bn1 = batch_norm(name="d_bn1")
        self.g_bn0 = batch_norm(name="g_bn0")
        self.build_model()

    def build_model(self):
        self.inputs = tf.placeholder(tf.float32, [self.batch_size, self.size, self.size, 1], name="real_images")
        self.z = tf.placeholder(tf.float32, [None, self.z_dim], name="z")
        self.z_sum = tf.summary.histogram("z", self.z)
        self.G = self.generator(self.z)
        self.D, self.D_logits = self.discriminator(self.inputs, reuse=False)
        self.sampler = self.sampler(self.z)
        self.D_, self.D_logits_ = self.discriminator(self.G, reuse=True)

        def cross_entropy(x, y):
            return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=x, labels=y))

        self.d_loss_real = cross_entropy(self.D_logits, tf.ones_like(self.D))
        self.d_loss_fake = cross_entropy(self.D_logits_, tf.zeros_like(self.D_))
        self.g_loss = cross_entropy(self.D_logits_, tf.ones_like(self.D_))
        self.d_loss = self.d_loss_real + self.d_loss_fake
        t_vars = tf.trainable_variables()
        self.d_vars = [var for var in t_vars if "d_" in var.name]
        self.g_vars = [var for var in t_vars if "g_" in var.name]
        self.d_optim = tf.train.AdamOptimizer(0.01, beta1=0.5).minimize(self.d_loss, var_list=self.d_vars)
        self.g_optim = tf.train.AdamOptimizer(0.01, beta1=0.5).minimize(self.g_loss, var_list=self.g_vars)
        self.saver = tf.train.Saver()

    def discriminator(self, image, reuse=False):
        with tf.variable_scope("discriminator") as scope:
            if reuse:
                scope.reuse_variables()
            h0 = tf.nn.leaky_relu(conv2d(image, self.df_dim, name="d_h0_conv"))
            h1 = tf.nn.leaky_relu(self.d_bn1(conv2d(h0, self.df_dim * 2, name="d_h1_conv")))
            h2 = linear(tf.reshape(h1, [self.batch_size, -1]), 1, "d_h2_lin")
            return tf.nn.sigmoid(h2), h2

    def generator(self, z):
        with tf.variable_scope("generator"):
            half = self.size // 2
            h0 = tf.reshape(linear(z, self.gf_dim * half * half, "g_h0_lin"), [-1, half, half, self.gf_dim])
            h0 = tf.nn.relu(self.g_bn0(h0))
            return tf.nn.tanh(deconv2d(h0, [self.batch_size, self.size, self.size, 1], name="g_h1"))

    def sampler(self, z):
        with tf.variable_scope("generator") as scope:
            scope.reuse_variables()
            half = self.size // 2
            h0 = tf.reshape(linear(z, self.gf_dim * half * half, "g_h0_lin"), [-1, half, half, self.gf_dim])
            h0 = tf.nn.relu(self.g_bn0(h0, train=False))
            return tf.nn.tanh(deconv2d(h0, [self.batch_size, self.size, self.size, 1], name="g_h1"))
