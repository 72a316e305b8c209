"""How two things stand to each other, read off the places where they are drawn.

Reads   the boxes of things (world.py)
Writes  for each pair of things the relations that hold; nothing is stored by hand
"""

from collections.abc import Callable

from tellapart.data.scenes.world import Box, Thing

APART = 0.1
"""Middles closer than this are neither left nor right of each other."""
NEAR = 0.16
"""The widest gap between neighbours."""
TOUCH = 0.03
"""How far a thing may sink into what carries it."""
DEPTH = 0.06
"""How much lower in the picture a nearer thing must stand."""


def shared_width(first: Box, second: Box) -> float:
    """How much of the picture's width both boxes cover; negative if there is a gap."""
    return min(first.right, second.right) - max(first.left, second.left)


def shared_height(first: Box, second: Box) -> float:
    """How much of the picture's height both boxes cover; negative if there is a gap."""
    return min(first.bottom, second.bottom) - max(first.top, second.top)


def overlap(first: Box, second: Box) -> bool:
    """Whether the two boxes cover some of the same picture."""
    return shared_width(first, second) > 0 and shared_height(first, second) > 0


def meet(first: Box, second: Box) -> bool:
    """Whether one of the two hides a part of the other, rather than resting on it."""
    return overlap(first, second) and shared_height(first, second) > TOUCH


def is_left_of(first: Box, second: Box) -> bool:
    """The first is farther left and leaves the second's middle free."""
    return first.middle < second.middle - APART and first.right < second.middle + TOUCH


def is_beside(first: Box, second: Box) -> bool:
    """Neighbours at the same height with a narrow gap between them, or one before the other."""
    lower = 0.4 * min(first.height, second.height)
    level = shared_height(first, second) >= lower
    return meet(first, second) or (level and shared_width(first, second) >= -NEAR)


def is_above(first: Box, second: Box) -> bool:
    """The first ends where the second begins or higher, and they share some width."""
    half = 0.5 * min(first.width, second.width)
    return first.bottom <= second.top + TOUCH and shared_width(first, second) >= half


def is_on(first: Box, second: Box) -> bool:
    """The first rests on the top of the second."""
    carried = second.left < first.middle < second.right
    return carried and abs(first.bottom - second.top) <= TOUCH


def is_in_front_of(first: Box, second: Box) -> bool:
    """The first stands nearer to the viewer and hides a part of the second."""
    return meet(first, second) and first.bottom > second.bottom + DEPTH


RELATIONS: dict[str, Callable[[Box, Box], bool]] = {
    "on": is_on,
    "in front of": is_in_front_of,
    "behind": lambda first, second: is_in_front_of(second, first),
    "above": is_above,
    "below": lambda first, second: is_above(second, first),
    "beside": is_beside,
    "left of": is_left_of,
    "right of": lambda first, second: is_left_of(second, first),
}
"""Every relation, the most telling first."""

SUPPORTS = ("table", "box")
"""The only things made to carry others: a balloon just over a house is not *on* it."""


def holds(relation: str, first: Thing, second: Thing) -> bool:
    """Whether the first thing stands in this relation to the second."""
    if relation == "on" and (second.noun not in SUPPORTS or first.form.home != "ground"):
        return False
    return RELATIONS[relation](first.box, second.box)


def relations_between(first: Thing, second: Thing) -> tuple[str, ...]:
    """All relations in which the first thing stands to the second, the most telling first."""
    return tuple(relation for relation in RELATIONS if holds(relation, first, second))
