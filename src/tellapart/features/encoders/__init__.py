"""Image encoders: pictures in, regions out, one call to load any of them.

Reads   weights from a PyPI package, a file, a folder or the Hugging Face hub
Writes  nothing; the feature store (features/) keeps what they see
Paper   Sec. 4.1

Read `preprocessing`, then `encoder`, then a backbone (`efficientnet_lite` with `folding`, `resnet`,
or `transformers_vision` with `hub_preprocessing`), and last `loading`, which chooses among them.
"""

from tellapart.features.encoders.encoder import Encoder
from tellapart.features.encoders.loading import NAMED, load_encoder
from tellapart.features.encoders.preprocessing import Preprocessing

__all__ = ["NAMED", "Encoder", "Preprocessing", "load_encoder"]
