"""What of a TF 1.x optimizer goes on in which of Keras, and in a graph of another release."""
