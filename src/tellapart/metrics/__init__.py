"""Text in, numbers out: the standard scores, and how well captions tell pictures apart."""
