# SPDX-License-Identifier: Apache-2.0
"""Rows as the CPU benchmark writes them: one line each for people, and JSON."""
import dataclasses
import json
import math
import typing

# unit name -> (scale, is a time); a rate is work per second
UNITS = {
    "TFLOP/s": (1e-12, False),
    "GB/s": (1e-9, False),
    "tok/s": (1.0, False),
    "launch/s": (1.0, False),
    "us": (1e6, True),
    "ms": (1e3, True),
}


@dataclasses.dataclass(frozen=True)
class Bar:
    kind: str  # ratio_at_least, value_below, or above_peer_at_most
    value: float


@dataclasses.dataclass
class Result:
    suite: str
    name: str
    shape: str
    dtype: str
    unit: str
    ours: float = math.nan
    peer: typing.Optional[float] = None
    peer_name: str = ""
    why_no_peer: str = ""
    ratio: typing.Optional[float] = None
    limit: typing.Optional[float] = None
    limit_name: str = ""
    max_error: typing.Optional[float] = None
    error_bound: typing.Optional[float] = None
    bar: typing.Optional[Bar] = None
    repeats: int = 0
    failure: str = ""  # why there are no numbers

    def set_times(self, work, times):
        scale, is_time = UNITS[self.unit]
        value = (lambda seconds: scale * seconds) if is_time else (lambda seconds: scale * work / seconds)
        self.ours, self.repeats = value(times.median_ours()), len(times.ours)
        if times.peer:
            self.peer, self.ratio = value(times.median_peer()), times.ratio()

    def percent_of_limit(self):
        if not self.limit or not math.isfinite(self.ours):
            return None
        part = self.limit / self.ours if UNITS[self.unit][1] else self.ours / self.limit
        return 100.0 * part

    def is_right(self):
        return self.max_error is None or self.max_error <= self.error_bound

    def verdict(self):
        if self.bar is None:
            return ""
        if self.failure or not math.isfinite(self.ours) or not self.is_right():
            return "missed"
        if self.bar.kind == "value_below":
            return "met" if self.ours < self.bar.value else "missed"
        if self.peer is None:
            return "not shown"
        if self.bar.kind == "above_peer_at_most":
            return "met" if self.ours <= self.peer + self.bar.value else "missed"
        return "met" if self.ratio >= self.bar.value else "missed"


def _number(value):
    return value if value is not None and math.isfinite(value) else None


def json_row(row, device):
    return {
        "suite": row.suite,
        "name": row.name,
        "device": "cuda",
        "shape": row.shape,
        "dtype": row.dtype,
        "ours": _number(row.ours),
        "peer": _number(row.peer),
        "peer_name": row.peer_name,
        "unit": row.unit,
        "ratio": _number(row.ratio),
        "limit": _number(row.limit),
        "percent_of_limit": _number(row.percent_of_limit()),
        "max_error": _number(row.max_error),
        "error_bound": _number(row.error_bound),
        "repeats": row.repeats,
        "why_no_peer": row.why_no_peer,
        "limit_name": row.limit_name,
        "bar": None if row.bar is None else {row.bar.kind: row.bar.value, "verdict": row.verdict()},
        "failure": row.failure,
        **device,
    }


def write_json(file, rows, device):
    with open(file, "w", encoding="utf-8") as out:
        json.dump([json_row(row, device) for row in rows], out, indent=1)
        out.write("\n")


def cell(value):
    if value is None or not math.isfinite(value):
        return "-"
    size = abs(value)
    return f"{value:.{0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.1 else 4}f}"


def _bar_cell(row):
    if row.bar is None:
        return ""
    sign = {"ratio_at_least": ">=", "value_below": "<", "above_peer_at_most": "<= peer +"}[row.bar.kind]
    return f"{sign} {row.bar.value:.2f}: {row.verdict()}"


def _error_cell(row):
    if row.max_error is None:
        return "-"
    return f"{row.max_error:.1e} of {row.error_bound:.1e}{'' if row.is_right() else ' WRONG'}"


_LINE = "{:<42} {:>9} {:>9} {:<8} {:>7} {:>8} {:>4}  {:<20} {:<22} {}"


def table_head():
    return _LINE.format("name", "ours", "peer", "unit", "ratio", "limit", "%", "error", "bar", "peer; limit")


def table_line(row):
    remark = "; ".join(filter(None, (row.failure, row.peer_name, row.why_no_peer, row.limit_name)))
    ratio = "-" if row.ratio is None else f"{row.ratio:.3f}"
    percent = row.percent_of_limit()
    return _LINE.format(row.name, cell(row.ours), cell(row.peer), row.unit, ratio, cell(row.limit),
                        "-" if percent is None else f"{percent:.0f}", _error_cell(row), _bar_cell(row), remark)


def summary(rows):
    counts = {word: sum(row.verdict() == word for row in rows) for word in ("met", "missed", "not shown")}
    text = "bars: " + ", ".join(f"{count} {word}" for word, count in counts.items())
    failed = sum(bool(row.failure) for row in rows)
    wrong = sum(not row.is_right() for row in rows)
    if failed:
        text += f"; {failed} of {len(rows)} rows FAILED"
    if wrong:
        text += f"; {wrong} of {len(rows)} results are WRONG"
    return text
