"""Parts of GAN models: conditioning, clipped weights, tensor pools, virtual batch normalization."""
