"""Speed against the best peer as a bar chart, with the goals as marks. Plain SVG; colours for light and dark."""
import math
from xml.sax.saxutils import escape

import verdict

ROW, BAR, LEFT, WIDTH, RIGHT, TOP = 30, 10, 230, 560, 70, 60
STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #222 } .title { font-size: 15px; font-weight: 600 } .value { font-size: 10px }
  .back { fill: #fff } .given { fill: #2563b8 } .alloc { fill: #7fb0ea } .goal { stroke: #c2410c; stroke-width: 2.5 }
  .one { stroke: #888; stroke-dasharray: 3 3 } .grid { stroke: #ddd }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e6e6 } .back { fill: #16181c } .given { fill: #6aa5f0 } .alloc { fill: #35588a }
    .goal { stroke: #fb923c } .grid { stroke: #34373d } .one { stroke: #999 } }
"""


class Scale:
    """Logarithmic from 1/4 to what the longest bar needs."""

    def __init__(self, largest):
        self._low, self._high = math.log2(0.25), math.log2(max(8.0, largest) * 1.05)

    def x(self, ratio):
        place = (math.log2(max(0.25, ratio)) - self._low) / (self._high - self._low)
        return LEFT + WIDTH * min(1.0, place)

    def ticks(self):
        return [2.0**k for k in range(-2, math.ceil(self._high)) if k <= self._high]


def _line(kind, x1, y1, x2, y2):
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x, y, text, anchor="start", kind=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(text)}</text>'


def _bar(scale, y, kind, ratio, goal):
    start, end = scale.x(0.25), scale.x(ratio)
    goal_x = scale.x(goal)
    return [f'<rect class="{kind}" x="{start:.1f}" y="{y:.1f}" width="{max(1, end - start):.1f}" height="{BAR}" rx="1.5"/>',
            _line("goal", goal_x, y - 1.5, goal_x, y + BAR + 1.5), _text(LEFT + WIDTH + RIGHT - 8, y + BAR - 1, f"{ratio:.2f}×", "end", "value")]


def _rows(records, scale):
    for k, record in enumerate(records):
        top = TOP + k * ROW + 6
        yield _text(LEFT - 8, top + BAR + 3, f"{record['workload']} {record['variant']}", "end")
        for step, mode in enumerate(("given", "alloc")):
            ratio = verdict.best(record, mode)[0]
            if ratio is not None:
                yield from _bar(scale, top + step * (BAR + 1), mode, ratio, record["goal"][mode])


def _axis(scale, bottom):
    for tick in scale.ticks():
        yield _line("one" if tick == 1 else "grid", scale.x(tick), TOP, scale.x(tick), bottom)
        yield _text(scale.x(tick), bottom + 16, f"{tick:g}×", "middle")


def _legend():
    for x, kind, text in ((LEFT, "given", "into a given output"), (LEFT + 150, "alloc", "allocating its result")):
        yield f'<rect class="{kind}" x="{x}" y="36" width="12" height="12" rx="1.5"/>'
        yield _text(x + 17, 46, text)
    yield _line("goal", LEFT + 306, 35, LEFT + 306, 49)
    yield _text(LEFT + 313, 46, "goal")


def svg(records, title):
    """The whole picture of all records that have a peer."""
    shown = [r for r in records if any(verdict.best(r, mode)[0] for mode in ("given", "alloc"))]
    ratios = [verdict.best(r, mode)[0] or 1 for r in shown for mode in ("given", "alloc")]
    scale = Scale(max(ratios + [r["goal"][mode] for r in shown for mode in ("given", "alloc")], default=8.0))
    bottom = TOP + len(shown) * ROW + 6
    width, height = LEFT + WIDTH + RIGHT, bottom + 28
    body = [f'<rect class="back" width="{width}" height="{height}"/>', _text(16, 22, title, kind="title"), *_legend(),
            *_axis(scale, bottom), *_rows(shown, scale)]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" aria-label="{escape(title)}">\n<style>{STYLE}</style>\n' + "\n".join(body) + "\n</svg>\n")
