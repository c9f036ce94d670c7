"""The eight lessons and the puzzles, in the order in which they are learned."""

from diplomaccloud.learn.lessons import (
    builds,
    convoys,
    cutting,
    endings,
    letters,
    moving,
    puzzles,
    retreats,
    support,
)

LESSONS = (
    moving.LESSON,
    support.LESSON,
    cutting.LESSON,
    convoys.LESSON,
    retreats.LESSON,
    builds.LESSON,
    endings.LESSON,
    letters.LESSON,
)
PUZZLES = puzzles.LESSON
