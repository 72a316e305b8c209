"""Pictures in, regions out: image encoders and the memory-mapped store of what they saw."""
