"""`KMeans`: the ops of k-means."""
