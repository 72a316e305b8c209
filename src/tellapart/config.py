"""The settings of every command: one frozen dataclass each, defaults as in the paper.

The attribute docstrings are the command line's help. Inner modules never see these classes: they
take plain keyword arguments.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, get_args

from tyro.conf import OmitArgPrefixes, Positional, arg

Format = Literal["karpathy", "coco", "flickr8k", "jsonl", "csv", "imagefolder", "sidecar", "folder"]
RecognisedFormat = Annotated[
    Format | None, arg(metavar="|".join(get_args(Format)), help_behavior_hint="(recognised)")
]

Metric = Literal["BLEU", "METEOR", "ROUGE-L", "CIDEr", "SPICE"]

RetrievalLossName = Literal["vse++", "vse0", "softmax"]


@dataclass(frozen=True)
class Common:
    """What every command understands."""

    quiet: bool = False
    """Say nothing but results and errors."""

    seed: int = 0
    """Seed of everything that is drawn at random."""

    device: str = "auto"
    """Where to compute: `cpu`, `cuda`, `cuda:1` …; `auto` takes a GPU where there is one."""


@dataclass(frozen=True)
class Data:
    """Where pictures and captions come from."""

    data: Annotated[Positional[tuple[Path, ...]], arg(metavar="DATA…", help_behavior_hint="")]
    """Annotation files, folders of pictures, or both; they become one data set."""

    images: Annotated[
        tuple[Path, ...], arg(metavar="DIR…", help_behavior_hint="(default: around that file)")
    ] = ()
    """Folders with the pictures that an annotation file names."""

    format: RecognisedFormat = None
    """Format of the data, where it is not recognised by itself."""

    splits: Annotated[
        dict[str, Path],
        arg(metavar="SPLIT FILE …", help_behavior_hint="(default: as the data says)"),
    ] = field(default_factory=dict)
    """Lists of file names or ids, one a line, that fix the splits: `val FILE test FILE`."""


@dataclass(frozen=True)
class Inspect:
    """Show what a data set holds: pictures, captions, splits, words, and what cannot be read."""

    source: Annotated[Data, OmitArgPrefixes]
    common: Annotated[Common, OmitArgPrefixes] = Common()

    open_pictures: bool = True
    """Open every picture to find those that cannot be read."""

    min_count: int = 6
    """Occurrences in the training captions that make a word part of the vocabulary."""

    max_words: int = 16
    """Words after which a caption is cut."""

    json: bool = False
    """Print JSON instead of tables."""


@dataclass(frozen=True)
class Features:
    """Encode every picture once into a feature store; a rerun goes on where a run was cut off."""

    source: Annotated[Data, OmitArgPrefixes]
    out: Path
    """Folder of the store."""

    common: Annotated[Common, OmitArgPrefixes] = Common()

    encoder: str = "efficientnet-lite2"
    """`efficientnet-lite0` … `-lite2`, `resnet-101`, a transformers vision model by hub name or
    folder, or a torchvision ResNet-101 `.pth` file. The paper has ResNet-101."""

    size: Annotated[
        int | None, arg(metavar="INT", help_behavior_hint="(default: as it was trained)")
    ] = None
    """Side in pixels of what the encoder sees."""

    batch_size: int = 32
    """Pictures encoded at once; a kill loses at most so many."""

    workers: int = 4
    """Threads that open pictures."""


@dataclass(frozen=True)
class Words:
    """Build the vocabulary from the training captions."""

    source: Annotated[Data, OmitArgPrefixes]
    out: Path
    """Folder of the vocabulary."""

    common: Annotated[Common, OmitArgPrefixes] = Common()

    min_count: int = 6
    """Occurrences in the training captions below which a word becomes UNK."""

    max_words: int = 16
    """Words after which a caption is cut."""

    restval: bool = True
    """Count Karpathy's `restval` captions as training captions."""


@dataclass(frozen=True)
class TrainRetriever:
    """Train the self-retrieval module: captions and pictures meet in one space."""

    source: Annotated[Data, OmitArgPrefixes]
    features: Path
    """Feature store of the data (`tellapart features`)."""

    vocabulary: Path
    """Vocabulary of the data (`tellapart vocabulary`)."""

    out: Path
    """Folder of the retriever."""

    common: Annotated[Common, OmitArgPrefixes] = Common()

    loss: RetrievalLossName = "vse++"
    """What is minimised, in both directions: the hardest negative (`vse++`), all negatives (`vse0`)
    or `softmax`."""

    margin: float = 0.2
    """By how much the right picture must lead, for vse++ and vse0."""

    temperature: float = 0.05
    """T of the softmax."""

    warm_up_epochs: int = 1
    """Epochs of vse0 before vse++ takes over, so that it does not sit at its plateau."""

    word_size: int = 300
    """Dimensions of a word."""

    state_size: int = 1024
    """Dimensions of the GRU."""

    space_size: int = 1024
    """Dimensions of the joint space."""

    dropout: float = 0.0
    """Share of a caption's and a picture's features dropped in training."""

    epochs: int = 30
    """Passes over the training captions."""

    decay_epoch: int = 15
    """Epoch from which the learning rate is a tenth."""

    batch_size: int = 128
    """Captions per step."""

    learning_rate: float = 2e-4
    """Adam's."""

    gradient_norm: float = 2.0
    """Longer gradients are cut to this."""

    restval: bool = True
    """Train on Karpathy's `restval` too."""

    judge: bool = False
    """Train the judge instead: another seed, three quarters of the width, and never a reward."""


@dataclass(frozen=True)
class Search:
    """Find pictures by a sentence. The pictures are encoded once, into an index."""

    pictures: Annotated[Positional[Path], arg(metavar="IMAGES|INDEX")]
    """A folder of pictures, an annotation file, or an index made before."""

    sentence: Annotated[Positional[str], arg(metavar="SENTENCE")]
    """What is to be seen on the picture."""

    model: Path
    """The retriever (`tellapart train-retriever`)."""

    common: Annotated[Common, OmitArgPrefixes] = Common()

    top: int = 10
    """How many pictures to show."""

    index: Annotated[
        Path | None, arg(metavar="FOLDER", help_behavior_hint="(default: in ~/.cache/tellapart)")
    ] = None
    """Where the index is kept."""

    html: Annotated[Path | None, arg(metavar="FILE", help_behavior_hint="(default: none)")] = None
    """Write a page with the pictures found."""

    json: bool = False
    """Print JSON instead of a table."""


@dataclass(frozen=True)
class Evaluate:
    """Score captions: the standard text metrics, without Java where it can be helped.

    What did not pair up, and what could not be computed, is said even with --quiet.
    """

    predictions: Path
    """The captions: COCO results JSON, `{"id": "caption"}`, JSON lines or CSV."""

    references: Path
    """What people wrote: COCO or Karpathy JSON, `{"id": ["caption", …]}`, or any data set."""

    format: RecognisedFormat = None
    """Format of the references, where it is not recognised by itself."""

    common: Annotated[Common, OmitArgPrefixes] = Common()

    metrics: tuple[Metric, ...] = get_args(Metric)
    """Which scores to compute."""

    training: Annotated[Path | None, arg(metavar="PATH", help_behavior_hint="(default: none)")] = (
        None
    )
    """A data set whose training captions tell which captions are novel; adds unique, distinct,
    novel, vocabulary, length and the fluency guards."""

    document_frequencies: Annotated[
        Path | None, arg(metavar="PATH", help_behavior_hint="(the references)")
    ] = None
    """A data set whose captions, of all splits, tell CIDEr which words are rare. It is needed where
    the pictures scored are few."""

    corenlp: Annotated[
        Path | None, arg(metavar="PATH", help_behavior_hint="(default: $TELLAPART_CORENLP)")
    ] = None
    """Folder with Stanford CoreNLP 3.6.0, which SPICE needs."""

    json: Annotated[Path | None, arg(metavar="PATH", help_behavior_hint="(default: a table)")] = (
        None
    )
    """Write the scores as JSON to this file; `-` is stdout."""

    per_caption: Annotated[
        Path | None, arg(metavar="PATH", help_behavior_hint="(default: none)")
    ] = None
    """Write the scores of each caption to this file, JSON lines; `-` is stdout, if the scores of
    all go to a file."""


@dataclass(frozen=True)
class Scenes:
    """Draw a small world of look-alike pictures with captions, to try everything on."""

    out: Annotated[Positional[Path], arg(metavar="FOLDER")]
    """Folder of the new data set."""

    common: Annotated[Common, OmitArgPrefixes] = Common()

    labelled: int = 1200
    """Training pictures with captions."""

    unlabelled: int = 1200
    """Training pictures without."""

    val: int = 200
    """Pictures for validation."""

    test: int = 300
    """Pictures for the test."""

    size: int = 224
    """Side of a picture in pixels."""


@dataclass(frozen=True)
class Demo:
    """See what tellapart is about, on pictures it draws itself."""

    out: Path = Path("demo")
    """Folder of the run."""

    common: Annotated[Common, OmitArgPrefixes] = Common()
