"""Files that hold a graph: read, described and judged without TensorFlow."""
