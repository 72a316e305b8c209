"""The stages in order; each reads folders and writes one folder."""
