"""Captions that tell pictures apart.

Trains and runs image captioners with the method of "Show, Tell and Discriminate: Image Captioning
by Self-retrieval with Partially Labeled Data" (Liu et al., ECCV 2018). Read the package in this
order, which is also the order of the work; a module imports only from those before it:

    config → data → metrics → features → models → objectives → decoding → pipeline → apps → cli
"""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("tellapart")
except PackageNotFoundError:  # read from a source tree that nobody installed
    __version__ = "0+source"
