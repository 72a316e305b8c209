"""The words people use for scenes, and what each of them means.

Reads   nothing
Writes  tables that wording.py draws from and meanings.py turns round, so that the writer and the
        reader of captions know the same words
"""

from tellapart.data.scenes.world import BACKGROUNDS, NOUNS

PLURALS = {noun: f"{noun}s" for noun in NOUNS} | {
    "box": "boxes",
    "fish": "fish",
}
SYNONYMS = {"cup": ("cup", "mug"), "dog": ("dog", "puppy"), "cat": ("cat", "kitten")}
"""What one of these may be called; groups keep to the first word."""

SIZE_WORDS = {"small": ("small", "little", "tiny"), "large": ("large", "big", "huge")}
"""A medium size goes without saying."""
PATTERN_WORDS = {"striped": ("striped",), "dotted": ("dotted", "spotted"), "checked": ("checked",)}
PATTERN_NOUNS = {"striped": ("stripes",), "dotted": ("dots", "spots"), "checked": ("checks",)}
"""As in "a ball with dots"."""
NUMBER_WORDS = {1: ("one",), 2: ("two", "a pair of", "a couple of"), 3: ("three",)}
SIDE_PHRASES = {
    "left": ("on the left", "on the left side"),
    "middle": ("in the middle", "in the centre"),
    "right": ("on the right", "on the right side"),
}
RELATION_PHRASES = {
    "on": ("on", "on top of"),
    "in front of": ("in front of",),
    "behind": ("behind",),
    "above": ("above", "over"),
    "below": ("below", "under"),
    "beside": ("next to", "beside", "near"),
    "left of": ("to the left of", "left of", "on the left of"),
    "right of": ("to the right of", "right of", "on the right of"),
}
FURTHER_RELATION_PHRASES = {
    "left of": ("on the left side of",),
    "right of": ("on the right side of",),
    "middle of": ("in the middle of", "in the centre of"),
}
"""Not written, but understood."""
SIDES_OF_PLACES = {"left of": "left", "middle of": "middle", "right of": "right"}
"""To be on the left of the beach is to be on the left of the picture."""

POSES = {
    "ball": "lying",
    "balloon": "floating",
    "bird": "flying",
    "boat": "floating",
    "box": "standing",
    "car": "parked",
    "cat": "sitting",
    "chair": "standing",
    "cup": "standing",
    "dog": "standing",
    "fish": "swimming",
    "flower": "growing",
    "house": "standing",
    "kite": "flying",
    "lamp": "standing",
    "mushroom": "growing",
    "table": "standing",
    "tree": "growing",
    "umbrella": "standing",
    "vase": "standing",
}
"""What each thing is drawn doing; nothing else is true of it."""

PLACES = {
    "beach": ("on the beach", "on a beach", "at the beach", "on the sand"),
    "meadow": ("in the meadow", "in a meadow", "in a field", "on the grass"),
    "sea": ("on the sea", "on the water"),
    "snow": ("in the snow", "on the snow", "in winter"),
    "desert": ("in the desert", "in a desert", "on the sand"),
    "street": ("on the street", "on a street", "on the road", "in the city"),
    "room": ("in a room", "in the room", "inside", "indoors"),
    "night": ("at night", "in the dark", "under the night sky"),
}
"""Where a thing on the ground, or afloat, is said to be."""
FURTHER_PLACES = ("in the grass", "in the sand", "in the street", "in the night")
"""Not written, but understood."""
PLACES_OF_FISH = ("in the sea", "in the water")
"""A boat may be said to be there too, but a fish is not "on the water"."""
PLACES_ALOFT = {
    "beach": ("over the beach", "above the beach"),
    "meadow": ("over the meadow", "above a field"),
    "sea": ("over the sea", "above the water"),
    "snow": ("over the snow", "in winter"),
    "desert": ("over the desert", "above the desert"),
    "street": ("over the street", "above the road"),
    "room": ("in a room", "in the room", "inside", "indoors"),
    "night": ("at night", "in the dark", "in the night sky"),
}
"""Where a flying thing is said to be."""
FURTHER_PLACES_ALOFT = ("above the sand", "above the grass", "above the city", "in the night")
SKY_PHRASES = ("in the sky", "in the air")

OUTDOORS = frozenset(BACKGROUNDS) - {"room"}
PLACE_WORDS: dict[str, frozenset[str]] = {
    "beach": frozenset({"beach"}),
    "sand": frozenset({"beach", "desert"}),
    "meadow": frozenset({"meadow"}),
    "field": frozenset({"meadow"}),
    "grass": frozenset({"meadow"}),
    "sea": frozenset({"sea"}),
    "water": frozenset({"sea"}),
    "snow": frozenset({"snow"}),
    "winter": frozenset({"snow"}),
    "desert": frozenset({"desert"}),
    "street": frozenset({"street"}),
    "road": frozenset({"street"}),
    "city": frozenset({"street"}),
    "room": frozenset({"room"}),
    "inside": frozenset({"room"}),
    "indoors": frozenset({"room"}),
    "outside": OUTDOORS,
    "outdoors": OUTDOORS,
    "night": frozenset({"night"}),
    "night sky": frozenset({"night"}),
    "dark": frozenset({"night"}),
    "sky": OUTDOORS,
    "air": frozenset(BACKGROUNDS),
}
"""The backgrounds of which a word is true."""

INDEFINITES = ("a", "an", "some", "another")
DEFINITES = ("the",)
CONNECTIVES = ("and", "with")
COPULAS = ("is", "are")
FILLERS = ("there", "here", "we", "you", "i", "can", "see", "that", "which", "it")
"""Words that say nothing which could be false; "it" is whatever was spoken of last."""
