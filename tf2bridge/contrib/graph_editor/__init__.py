"""`tf.contrib.graph_editor`: views of a part of a graph, and functions that rewire or copy it."""
