"""What lies under the layers: cells, opaque parameters and how they are saved."""
