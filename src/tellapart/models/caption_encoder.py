"""The caption encoder E_c: a sentence becomes one vector.

Reads   word ids (data/vocabulary.py), EOS last, PAD after it
Writes  the GRU's state after EOS
Paper   Sec. 3.1 Eq. (3), c = E_c(C); Sec. 4.2: words of 300 dimensions, a GRU of 1024
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tellapart.data.vocabulary import EOS, PAD


class CaptionEncoder(nn.Module):
    """Words, one after the other, into a GRU; its last state is the caption."""

    def __init__(
        self, *, vocabulary_size: int, word_size: int = 300, state_size: int = 1024
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary_size, word_size, padding_idx=PAD)
        self.gru = nn.GRU(word_size, state_size, batch_first=True)
        nn.init.uniform_(self.words.weight, -0.1, 0.1)
        with torch.no_grad():
            self.words.weight[PAD].zero_()

    def forward(self, captions: Int[Tensor, "captions words"]) -> Float[Tensor, "captions state"]:
        """The state after each caption's EOS, or after its last word where it has none."""
        states, _ = self.gru(self.words(captions))
        last = _last_place(captions)[:, None, None].expand(-1, 1, states.shape[2])
        return states.gather(1, last).squeeze(1)


def _last_place(captions: Int[Tensor, "captions words"]) -> Int[Tensor, " captions"]:
    """Where a caption ends. What follows EOS does not count, be it PAD or anything else.

    The GRU reads on to the end of the row all the same: on a GPU that is quicker than to ask each
    caption how long it is.
    """
    is_end = captions == EOS
    before_end = (is_end.cumsum(dim=1) == 0) & (captions != PAD)
    last_word = before_end.sum(dim=1) - 1
    return (last_word + is_end.any(dim=1).long()).clamp(min=0)
