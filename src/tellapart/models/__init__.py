"""What is learned: the caption encoder and the retriever."""
