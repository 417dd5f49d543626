"""How GANs are judged: scores of classifiers, distances, summaries."""
