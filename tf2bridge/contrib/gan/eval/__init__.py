"""The evaluation of GANs: classifier scores, distances, summaries."""
