"""Pictures and captions in: records, readers, opening pictures, the vocabulary, generated scenes."""
