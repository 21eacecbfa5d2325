"""Walk a call through the rooms: which it enters in order, how many modules, and where a lower room calls a higher one.

python docs/walk_rooms.py             prints the walks
python docs/walk_rooms.py --record    writes their counts into the store of figures, from where pages take them

The second of two runs of each call is watched, so that what is read once a process does not count. A climb is a pair
of rooms of which the lower calls a function or method of the higher; a function that was handed down, such as a lambda,
is none.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from draw_structure import ROOT, draw, room

import citewell

EXAMPLES = ROOT / "examples"
QUESTION = "How many passengers did the ferries carry in 2025?"
CLAIM = "The ferries carried three million passengers in 2025."


class Walk(NamedTuple):
    """The rooms and modules that a call enters, in order, and its climbs, each with the function that is called."""

    rooms: list[str]
    modules: list[str]
    climbs: dict[tuple[str, str], str]


def watch(call: Callable[[], Any], floors: dict[str, int]) -> Walk:
    """The walk of a call that has run once before."""
    walk = Walk([], [], {})

    def entered(frame: FrameType, event: str, _: Any) -> None:
        code, here = frame.f_code, room(frame.f_globals.get("__name__", ""))
        if event != "call" or here not in floors or code.co_name == "<module>":
            return
        for listed, name in ((walk.rooms, here), (walk.modules, frame.f_globals["__name__"])):
            if name not in listed:
                listed.append(name)
        caller = frame.f_back
        while caller and room(caller.f_globals.get("__name__", "")) not in floors:
            caller = caller.f_back
        below = room(caller.f_globals["__name__"]) if caller else None
        if below and floors[here] > floors[below] and "<locals>" not in code.co_qualname:
            walk.climbs.setdefault((below, here), f"{frame.f_globals['__name__']}.{code.co_qualname}")

    call()
    sys.setprofile(entered)
    try:
        call()
    finally:
        sys.setprofile(None)
    return walk


def walks() -> dict[str, Walk]:
    """The walks of the page, by name."""
    drawn = draw(Path(citewell.__file__).parents[1])
    floors = {name: number for number, names in enumerate(drawn.floors) for name in names}
    calls: dict[str, Callable[[], Any]] = {
        "text": lambda: citewell.ask(citewell.read(EXAMPLES / "annual-report.md"), QUESTION),
        "pdf": lambda: citewell.ask(citewell.read(EXAMPLES / "annual-report.pdf"), QUESTION),
        "claim": lambda: citewell.check(citewell.read(EXAMPLES / "annual-report.md"), [CLAIM]),
        "answer": lambda: citewell.attribute(citewell.read(EXAMPLES / "annual-report.md"), CLAIM),
    }
    return {name: watch(call, floors) for name, call in calls.items()}


def main() -> None:
    """Print or record the walks."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", action="store_true", help="write the counts into the store of figures")
    arguments = parser.parse_args()
    values: dict[str, tuple[float, int]] = {}
    for name, walk in walks().items():
        print(f"{name}: {len(walk.rooms)} rooms, {len(walk.modules)} modules, {len(walk.climbs)} climbs")
        print(f"  {' > '.join(walk.rooms)}")
        for (below, above), called in walk.climbs.items():
            print(f"  {below} calls {above}: {called}")
        for part, count in walk._asdict().items():
            values[f"{name}.{part}"] = (len(count), len(walk.rooms))
    if arguments.record:
        sys.path.insert(0, str(ROOT / "lab" / "benchmarks"))
        figures = importlib.import_module("figures")
        figures.record("walks", values, ROOT / "src" / "citewell", "chosen on", "python docs/walk_rooms.py --record")


if __name__ == "__main__":
    main()
