"""What GAN models are made with: conditioning, clipped weights, pools, virtual batch normalization."""
