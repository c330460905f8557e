# SPDX-License-Identifier: Apache-2.0
"""All entries of the device benchmark, in the order in which they run. An entry gives one row or several."""
import dataclasses
import typing

import decode
import kernels
import measure


@dataclasses.dataclass(frozen=True)
class Entry:
    name: str
    suite: str
    measure: typing.Callable  # (bench) -> results
    expected: typing.Callable  # () -> the results it would give, without numbers
    limit_seconds: int = 90


def _kernel(spec):
    return Entry(spec.name, spec.suite, lambda bench: measure.measure_kernel(bench, spec),
                 lambda: [measure.new_result(spec, suffix) for suffix in spec.plans])


def _launch(name):
    return Entry(name, "launch", lambda bench: measure.measure_launch(bench, name),
                 lambda: [measure.launch_result(name)])


def _many(name):
    return Entry(name, measure.MANY[name][0], lambda bench: measure.measure_many(bench, name),
                 lambda: [measure.many_result(name)])


def _decode(spec):
    return Entry(spec.name, "decode", lambda bench: decode.measure_decode(bench, spec),
                 lambda: [decode.new_result(spec)], limit_seconds=240)


ENTRIES = (
    *(_kernel(spec) for spec in kernels.KERNELS),
    *(_launch(name) for name in measure.LAUNCHES),
    *(_many(name) for name in measure.MANY),
    *(_decode(spec) for spec in decode.DECODES),
)


def entry(name):
    return next(each for each in ENTRIES if each.name == name)


def chosen(words):
    """Entries whose suite is one of the words or whose name starts with one; all without words."""
    return [each for each in ENTRIES
            if not words or any(each.suite == word or each.name.startswith(word) for word in words)]
