"""The page about speed: the machine, the table of ratios, and a plot of it."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measuring import Bar

PLOT = "performance.png"
_BEGIN, _END = "<!-- measured -->", "<!-- end of what was measured -->"


def machine() -> str:
    """What the numbers were measured on."""
    cpu = platform.processor() or platform.machine()
    for line in _lines(Path("/proc/cpuinfo")):
        if line.startswith("model name"):
            cpu = line.partition(":")[2].strip()
            break
    return f"{os.cpu_count()} cores of {cpu}, {platform.system()}, Python {platform.python_version()}"


def _lines(path: Path) -> Sequence[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else ()


def write_report(folder: Path, bars: Sequence[Bar]) -> None:
    """Put the table between its marks in performance.md, and draw the plot beside it."""
    rows = [
        "| Measured | Ratio | Spread | Bar | |",
        "|---|---|---|---|---|",
        *(
            f"| {bar.name} | {bar.ratio:.2f} | {bar.low:.2f} to {bar.high:.2f} | {bar.bar} | "
            f"{'reached' if bar.reached else '**missed**'} |"
            for bar in bars
        ),
    ]
    page = folder / "performance.md"
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(_BEGIN)
    after = rest.partition(_END)[2]
    page.write_text(
        f"{before}{_BEGIN}\n\nOn {machine()}:\n\n" + "\n".join(rows) + f"\n\n{_END}{after}", encoding="utf-8"
    )
    _plot(folder / PLOT, bars)


def _plot(path: Path, bars: Sequence[Bar]) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    shown = [bar for bar in bars if "MB" not in bar.name]
    figure, axes = plt.subplots(figsize=(9, 0.45 * len(shown) + 1.2))
    places = range(len(shown))
    colours = ["#2a7f62" if bar.reached else "#b3403a" for bar in shown]
    axes.barh(places, [bar.ratio for bar in shown], color=colours, height=0.6)
    for place, bar in zip(places, shown, strict=True):
        limit = float(bar.bar.split()[-1])
        axes.plot([limit, limit], [place - 0.4, place + 0.4], color="black", linewidth=2)
        axes.text(max(bar.ratio, limit) * 1.08, place, f"{bar.ratio:.2f}", va="center", fontsize=8)
    axes.set_yticks(list(places), [bar.name for bar in shown], fontsize=8)
    axes.set_xscale("log")
    axes.set_xlim(right=3 * max(bar.ratio for bar in shown))
    axes.invert_yaxis()
    axes.set_xlabel("ratio; the black mark is the bar")
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)
