"""Generated scenes: the data set that comes with the package and shows the paper's problem.

Dozens of pictures fit "a ball on the beach"; only details tell them apart: the ball is small, red
and striped, it lies on the left, there is a kite above it. Of the five captions people would write
for a picture three leave all that out. And because every scene is known, so is the truth of any
caption a model writes about it. Read in this order:

    world → relations → sampling              what is there, how it stands, drawn by lot
    pens → shapes, backdrops → drawing        the picture
    lexicon → phrases → wording               its captions
    meanings → reading → reference → truth    whether a caption is true
    contact_sheet → folder → generate         the data set on disk
"""

from tellapart.data.scenes.drawing import draw_scene
from tellapart.data.scenes.generate import generate_scenes, read_scenes
from tellapart.data.scenes.sampling import sample_scene
from tellapart.data.scenes.truth import Truth, judge_caption
from tellapart.data.scenes.wording import detailed_caption, write_captions
from tellapart.data.scenes.world import Scene, Thing

__all__ = [
    "Scene",
    "Thing",
    "Truth",
    "detailed_caption",
    "draw_scene",
    "generate_scenes",
    "judge_caption",
    "read_scenes",
    "sample_scene",
    "write_captions",
]
