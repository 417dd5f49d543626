"""The train op of a graph as a training step in TensorFlow 2: `train.py` of a written package."""
