"""Stage: pictures → features.

Reads   a data set
Writes  `features/` (features/store.py), with `skipped.jsonl` for the pictures that had to be left
Paper   Sec. 4.2
"""

from tellapart.config import Features
from tellapart.devices import choose_device
from tellapart.errors import UserError
from tellapart.features.encoders import load_encoder
from tellapart.features.extraction import extract_features
from tellapart.pipeline.source import read_source
from tellapart.progress import counted, say


def make_features(settings: Features) -> None:
    """Encode every picture of the data set into one store."""
    if settings.batch_size < 1 or settings.workers < 1:
        raise UserError("--batch-size and --workers must be at least 1.")
    common = settings.common
    dataset = read_source(settings.source)
    device = choose_device(common.device)
    encoder = load_encoder(settings.encoder, size=settings.size, device=str(device))
    store = extract_features(
        dataset.records,
        encoder,
        settings.out,
        batch_size=settings.batch_size,
        workers=settings.workers,
        quiet=common.quiet,
    )
    usable = len(dataset) - len(store.skipped)
    say(f"{counted(usable, 'picture')} encoded in {settings.out}.", quiet=common.quiet)
    if store.skipped:
        skipped, where = counted(len(store.skipped), "picture"), settings.out / "skipped.jsonl"
        say(f"{skipped} skipped; {where} says which and why.", quiet=common.quiet)
