"""The joint space: unit vectors, and a caption that means the same whatever follows its end."""

import pytest
import torch

from tellapart.data.vocabulary import EOS, PAD
from tellapart.models.caption_encoder import CaptionEncoder
from tellapart.models.retriever import Retriever


@pytest.fixture
def retriever() -> Retriever:
    torch.manual_seed(0)
    return Retriever(vocabulary_size=20, channels=6, word_size=5, state_size=7, space_size=4).eval()


CAPTIONS = torch.tensor([[4, 5, 6, EOS, PAD, PAD], [7, EOS, PAD, PAD, PAD, PAD]])


def test_the_caption_is_the_state_after_its_end():
    """Read each caption alone, word by word, up to EOS."""
    torch.manual_seed(0)
    encoder = CaptionEncoder(vocabulary_size=20, word_size=5, state_size=7)
    together = encoder(CAPTIONS)
    for row, length in ((0, 4), (1, 2)):
        _, state = encoder.gru(encoder.words(CAPTIONS[row : row + 1, :length]))
        torch.testing.assert_close(together[row], state[0, 0])


def test_what_follows_the_end_changes_nothing(retriever):
    noisy = CAPTIONS.clone()
    noisy[:, 4:] = torch.tensor([9, EOS])
    noisy[1, 2:4] = torch.tensor([EOS, 11])
    torch.testing.assert_close(retriever.embed_captions(noisy), retriever.embed_captions(CAPTIONS))


def test_a_caption_without_an_end_is_read_to_its_last_word(retriever):
    cut_off = torch.tensor([[4, 5, 6, 7, 8, 9]])
    padded = torch.tensor([[4, 5, 6, 7, 8, 9, PAD, PAD]])
    torch.testing.assert_close(retriever.embed_captions(cut_off), retriever.embed_captions(padded))
    assert torch.isfinite(retriever.embed_captions(torch.full((1, 4), PAD))).all()


@torch.no_grad()
def test_similarity_is_the_cosine(retriever):
    features = torch.rand(3, 6)
    similarity = retriever(CAPTIONS, features)
    assert similarity.shape == (2, 3)
    captions, pictures = retriever.embed_captions(CAPTIONS), retriever.embed_pictures(features)
    torch.testing.assert_close(captions.norm(dim=1), torch.ones(2))
    torch.testing.assert_close(pictures.norm(dim=1), torch.ones(3))
    assert similarity[1, 2].item() == pytest.approx(float(captions[1] @ pictures[2]), abs=1e-6)


def test_the_papers_sizes_are_the_default():
    retriever = Retriever(vocabulary_size=100, channels=2048)
    assert retriever.caption_encoder.words.embedding_dim == 300
    assert retriever.caption_encoder.gru.hidden_size == 1024
    assert retriever.caption_projection.out_features == 1024
    assert tuple(retriever.picture_projection.weight.shape) == (1024, 2048)
