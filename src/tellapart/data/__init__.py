"""Pictures and captions in: records, readers, opening pictures, vocabulary, generated scenes."""
