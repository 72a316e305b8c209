"""One small drawing per noun: flat, rounded, and the same colour all over its body.

Reads   a `Pen` set on the thing's box
Writes  onto the pen's canvas
"""

from collections.abc import Callable

from tellapart.data.scenes.pens import INK, Colour, Pen

WOOD: Colour = (128, 84, 50)
LEAF: Colour = (70, 140, 70)
CREAM: Colour = (250, 238, 214)
GLASS: Colour = (196, 228, 244)
STEEL: Colour = (96, 100, 112)
PAPER: Colour = (255, 255, 255)


def draw_ball(pen: Pen) -> None:
    """A round ball with a gloss."""
    pen.body.ellipse(0.0, 0.0, 1.0, 1.0)
    pen.paint_body()
    draw_gloss(pen, 0.2, 0.1, 0.36, 0.22)


def draw_balloon(pen: Pen) -> None:
    """An oval with a knot and a curling string."""
    curl = [(0.5, 0.72), (0.56, 0.8), (0.44, 0.88), (0.52, 1.0)]
    pen.over.line(curl, STEEL, width=0.03)
    pen.body.ellipse(0.0, 0.0, 1.0, 0.7)
    pen.body.polygon([(0.5, 0.66), (0.38, 0.75), (0.62, 0.75)])
    pen.paint_body()
    draw_gloss(pen, 0.2, 0.09, 0.36, 0.2)


def draw_bird(pen: Pen) -> None:
    """A bird in flight, both wings up."""
    pen.over.polygon([(0.88, 0.4), (1.0, 0.48), (0.88, 0.54)], (248, 170, 40))
    pen.body.polygon([(0.44, 0.5), (0.08, 0.0), (0.62, 0.4)])
    pen.body.polygon([(0.3, 0.6), (0.0, 0.5), (0.04, 0.78)])
    pen.body.ellipse(0.16, 0.4, 0.8, 0.86)
    pen.body.ellipse(0.6, 0.28, 0.92, 0.68)
    pen.body.polygon([(0.36, 0.52), (0.34, 0.02), (0.68, 0.46)])
    pen.paint_body()
    draw_eye(pen, 0.8, 0.44, 0.035)


def draw_boat(pen: Pen) -> None:
    """A sailing boat: hull and two sails."""
    pen.over.line([(0.5, 0.0), (0.5, 0.78)], WOOD, width=0.045)
    pen.body.polygon([(0.55, 0.02), (0.55, 0.66), (0.96, 0.66)])
    pen.body.polygon([(0.45, 0.12), (0.45, 0.66), (0.12, 0.66)])
    pen.body.polygon([(0.0, 0.72), (1.0, 0.72), (0.82, 1.0), (0.18, 1.0)])
    pen.paint_body()
    pen.over.rectangle(0.04, 0.73, 0.96, 0.77, pen.dark)


def draw_box(pen: Pen) -> None:
    """A parcel with a lid."""
    pen.body.rectangle(0.05, 0.1, 0.95, 1.0)
    pen.body.rectangle(0.0, 0.0, 1.0, 0.24)
    pen.paint_body()
    pen.over.rectangle(0.05, 0.235, 0.95, 0.27, pen.dark)


def draw_car(pen: Pen) -> None:
    """A small car seen from the side."""
    pen.body.polygon([(0.18, 0.46), (0.3, 0.04), (0.68, 0.04), (0.84, 0.46)])
    pen.body.rectangle(0.0, 0.38, 1.0, 0.84, round_by=0.08)
    pen.paint_body()
    pen.over.polygon([(0.25, 0.4), (0.34, 0.13), (0.47, 0.13), (0.47, 0.4)], GLASS)
    pen.over.polygon([(0.52, 0.4), (0.52, 0.13), (0.65, 0.13), (0.75, 0.4)], GLASS)
    pen.over.ellipse(0.93, 0.46, 0.99, 0.58, (255, 240, 150))
    for middle in (0.23, 0.77):
        pen.over.circle(middle, 0.82, 0.095, INK)
        pen.over.circle(middle, 0.82, 0.045, (200, 200, 206))


def draw_cat(pen: Pen) -> None:
    """A sitting cat that looks at you."""
    pen.body.ring(0.5, 0.5, 1.0, 0.98, width=0.11, start=-70, end=130)
    pen.body.ellipse(0.14, 0.4, 0.8, 1.0)
    pen.body.ellipse(0.08, 0.08, 0.86, 0.58)
    pen.body.polygon([(0.1, 0.0), (0.1, 0.34), (0.42, 0.12)])
    pen.body.polygon([(0.84, 0.0), (0.84, 0.34), (0.52, 0.12)])
    pen.paint_body()
    for eye in (0.32, 0.62):
        draw_eye(pen, eye, 0.31, 0.065)
    pen.over.polygon([(0.43, 0.41), (0.51, 0.41), (0.47, 0.46)], (240, 130, 150))
    for y in (0.42, 0.47):
        pen.over.line([(0.02, y), (0.26, 0.44)], pen.dark, width=0.015)
        pen.over.line([(0.68, 0.44), (0.92, y)], pen.dark, width=0.015)


def draw_chair(pen: Pen) -> None:
    """A wooden chair seen from the front."""
    for left in (0.1, 0.78):
        pen.body.rectangle(left, 0.0, left + 0.12, 0.55, round_by=0.05)
    for top in (0.04, 0.23):
        pen.body.rectangle(0.1, top, 0.9, top + 0.13, round_by=0.03)
    pen.body.polygon([(0.1, 0.48), (0.9, 0.48), (1.0, 0.62), (0.0, 0.62)])
    pen.body.rectangle(0.0, 0.6, 1.0, 0.69, round_by=0.03)
    for left in (0.02, 0.84):
        pen.body.rectangle(left, 0.66, left + 0.14, 1.0)
    pen.paint_body()
    pen.over.rectangle(0.02, 0.61, 0.98, 0.63, pen.dark)


def draw_cup(pen: Pen) -> None:
    """A cup with its handle on the right."""
    pen.body.ring(0.56, 0.2, 1.0, 0.76, width=0.11)
    pen.body.rectangle(0.0, 0.08, 0.76, 0.6)
    pen.body.ellipse(0.0, 0.2, 0.76, 1.0)
    pen.body.ellipse(0.0, 0.0, 0.76, 0.18)
    pen.paint_body()
    pen.over.ellipse(0.03, 0.02, 0.73, 0.16, pen.dark)


def draw_dog(pen: Pen) -> None:
    """A standing dog with a hanging ear."""
    pen.body.line([(0.12, 0.5), (0.03, 0.2)], width=0.075)
    for leg in (0.1, 0.26, 0.5, 0.64):
        pen.body.rectangle(leg, 0.6, leg + 0.11, 1.0, round_by=0.04)
    pen.body.rectangle(0.07, 0.4, 0.77, 0.78, round_by=0.15)
    pen.body.ellipse(0.54, 0.06, 0.92, 0.58)
    pen.body.ellipse(0.74, 0.24, 1.0, 0.54)
    pen.paint_body()
    pen.over.ellipse(0.52, 0.1, 0.66, 0.5, pen.dark)
    pen.over.ellipse(0.93, 0.28, 1.0, 0.38, INK)
    draw_eye(pen, 0.77, 0.24, 0.04)


def draw_fish(pen: Pen) -> None:
    """A fish that swims to the right."""
    pen.body.polygon([(0.36, 0.16), (0.52, 0.0), (0.66, 0.2)])
    pen.body.polygon([(0.3, 0.5), (0.0, 0.08), (0.08, 0.5), (0.0, 0.92)])
    pen.body.ellipse(0.2, 0.12, 1.0, 0.92)
    pen.paint_body()
    draw_eye(pen, 0.83, 0.42, 0.045)
    pen.over.ring(0.5, 0.3, 0.72, 0.76, pen.dark, width=0.018, start=-70, end=70)


def draw_flower(pen: Pen) -> None:
    """One bloom on a stem with two leaves."""
    pen.over.line([(0.5, 0.4), (0.5, 1.0)], LEAF, width=0.09)
    pen.over.polygon([(0.5, 0.92), (0.1, 0.78), (0.16, 0.68), (0.5, 0.84)], LEAF)
    pen.over.polygon([(0.5, 0.86), (0.9, 0.7), (0.84, 0.61), (0.5, 0.77)], LEAF)
    for x, y in ((0.5, 0.13), (0.8, 0.25), (0.7, 0.46), (0.3, 0.46), (0.2, 0.25)):
        pen.body.circle(x, y, 0.21)
    pen.paint_body()
    middle = (255, 210, 60) if pen.colour not in ("yellow", "orange") else WOOD
    pen.over.circle(0.5, 0.31, 0.15, middle)


def draw_house(pen: Pen) -> None:
    """Coloured walls under a grey roof, with a door and two windows."""
    pen.over.rectangle(0.7, 0.06, 0.82, 0.34, (130, 96, 88))
    pen.body.rectangle(0.08, 0.38, 0.92, 1.0)
    pen.paint_body()
    pen.over.polygon([(0.5, 0.0), (1.0, 0.42), (0.0, 0.42)], (104, 92, 100))
    pen.over.rectangle(0.42, 0.64, 0.6, 1.0, WOOD)
    for left in (0.17, 0.68):
        pen.over.rectangle(left - 0.015, 0.535, left + 0.175, 0.745, pen.dark)
        pen.over.rectangle(left, 0.55, left + 0.16, 0.73, (255, 240, 186))


def draw_kite(pen: Pen) -> None:
    """A diamond with a tail of bows."""
    tail = [(0.5, 0.68), (0.62, 0.78), (0.44, 0.88), (0.56, 1.0)]
    pen.over.line(tail, STEEL, width=0.03)
    for x, y in tail[1:]:
        pen.over.polygon(
            [(x - 0.1, y - 0.04), (x + 0.1, y), (x - 0.1, y), (x + 0.1, y - 0.04)], pen.dark
        )
    pen.body.polygon([(0.5, 0.0), (1.0, 0.3), (0.5, 0.72), (0.0, 0.3)])
    pen.paint_body()
    pen.over.line([(0.5, 0.0), (0.5, 0.72)], pen.dark, width=0.025)
    pen.over.line([(0.0, 0.3), (1.0, 0.3)], pen.dark, width=0.025)


def draw_lamp(pen: Pen) -> None:
    """A wide shade on a thin foot."""
    pen.over.rectangle(0.45, 0.5, 0.55, 0.95, STEEL)
    pen.over.half_ellipse(0.2, 0.86, 0.8, 1.14, STEEL)
    pen.over.ellipse(0.4, 0.5, 0.6, 0.66, (255, 236, 140))
    pen.body.polygon([(0.26, 0.0), (0.74, 0.0), (1.0, 0.58), (0.0, 0.58)])
    pen.paint_body()


def draw_mushroom(pen: Pen) -> None:
    """A broad cap on a pale stem."""
    pen.over.rectangle(0.34, 0.5, 0.66, 1.0, (200, 184, 156), round_by=0.12)
    pen.over.rectangle(0.36, 0.5, 0.64, 0.98, CREAM, round_by=0.11)
    pen.body.half_ellipse(0.0, 0.0, 1.0, 1.16)
    pen.body.rectangle(0.0, 0.56, 1.0, 0.66, round_by=0.05)
    pen.paint_body()


def draw_table(pen: Pen) -> None:
    """A table top on two legs."""
    pen.body.rectangle(0.0, 0.0, 1.0, 0.2, round_by=0.03)
    for left in (0.08, 0.82):
        pen.body.rectangle(left, 0.1, left + 0.1, 1.0)
    pen.body.rectangle(0.1, 0.18, 0.9, 0.32)
    pen.paint_body()
    pen.over.rectangle(0.06, 0.2, 0.94, 0.225, pen.dark)


def draw_tree(pen: Pen) -> None:
    """A round crown on a trunk."""
    pen.over.polygon([(0.43, 0.5), (0.57, 0.5), (0.62, 1.0), (0.38, 1.0)], WOOD)
    pen.body.ellipse(0.0, 0.24, 0.58, 0.68)
    pen.body.ellipse(0.42, 0.24, 1.0, 0.68)
    pen.body.ellipse(0.14, 0.0, 0.86, 0.56)
    pen.paint_body()


def draw_umbrella(pen: Pen) -> None:
    """An open umbrella on its stick."""
    pen.over.line([(0.5, 0.4), (0.5, 0.9)], WOOD, width=0.045)
    pen.over.ring(0.5, 0.82, 0.68, 0.99, WOOD, width=0.045, start=0, end=180)
    pen.over.line([(0.5, 0.0), (0.5, 0.08)], WOOD, width=0.04)
    pen.body.half_ellipse(0.0, 0.04, 1.0, 1.04)
    pen.paint_body()
    for rib in (0.25, 0.75):
        pen.over.line([(0.5, 0.05), (rib, 0.54)], pen.dark, width=0.018)


def draw_vase(pen: Pen) -> None:
    """A round belly, a narrow neck, a wide lip."""
    pen.body.ellipse(0.0, 0.3, 1.0, 0.96)
    pen.body.rectangle(0.26, 0.84, 0.74, 1.0)
    pen.body.polygon(
        [(0.18, 0.0), (0.82, 0.0), (0.66, 0.24), (0.78, 0.42), (0.22, 0.42), (0.34, 0.24)]
    )
    pen.paint_body()
    pen.over.ellipse(0.2, 0.0, 0.8, 0.06, pen.dark)


def draw_eye(pen: Pen, x: float, y: float, radius: float) -> None:
    """A white eye that looks ahead; a body of any colour lets it be seen."""
    pen.over.circle(x, y, radius, PAPER)
    pen.over.circle(x + 0.15 * radius, y, 0.62 * radius, INK)


def draw_gloss(pen: Pen, left: float, top: float, right: float, bottom: float) -> None:
    """A spot of light, on plain bodies only: elsewhere it would pass for one more dot."""
    if pen.pattern == "plain":
        pen.over.ellipse(left, top, right, bottom, PAPER)


SHAPES: dict[str, Callable[[Pen], None]] = {
    "ball": draw_ball,
    "balloon": draw_balloon,
    "bird": draw_bird,
    "boat": draw_boat,
    "box": draw_box,
    "car": draw_car,
    "cat": draw_cat,
    "chair": draw_chair,
    "cup": draw_cup,
    "dog": draw_dog,
    "fish": draw_fish,
    "flower": draw_flower,
    "house": draw_house,
    "kite": draw_kite,
    "lamp": draw_lamp,
    "mushroom": draw_mushroom,
    "table": draw_table,
    "tree": draw_tree,
    "umbrella": draw_umbrella,
    "vase": draw_vase,
}
