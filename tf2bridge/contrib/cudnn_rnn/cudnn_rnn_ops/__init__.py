"""The operations below the layers: cells, opaque parameters and their saving."""
