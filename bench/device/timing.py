# SPDX-License-Identifier: Apache-2.0
"""Paired timing on a device: chunks of the peer and of ours alternate on one stream, so that both meet the same clock
and the same heat; who goes first alternates. A ratio is the median over the rounds of peer time / our time."""
import dataclasses
import statistics
import time


@dataclasses.dataclass(frozen=True)
class Plan:
    rounds: int = 16
    chunk_seconds: float = 3e-3  # of each side in a round
    rest_seconds: float = 0.0  # before each round: a cool chip at its full clock
    load_seconds: float = 0.1  # both sides run this long first; 0.6 s and the power limit sets the clock


GENERAL = Plan()
COOL = Plan(rounds=12, chunk_seconds=1e-3, rest_seconds=0.03, load_seconds=0.0)
STEADY = Plan(rounds=12, chunk_seconds=10e-3, load_seconds=0.6)
COOL_LONG = dataclasses.replace(COOL, rounds=8, chunk_seconds=4e-3)  # for work of milliseconds
STEADY_LONG = dataclasses.replace(STEADY, rounds=8, chunk_seconds=15e-3)


def quick(plan):
    """The same kind of plan in a third of the time."""
    return dataclasses.replace(plan, rounds=max(3, plan.rounds // 3), load_seconds=min(plan.load_seconds, 0.3))


@dataclasses.dataclass
class Times:
    ours: list  # seconds of one run, a round each
    peer: list  # empty without a peer

    def ratio(self):
        return statistics.median(p / o for p, o in zip(self.peer, self.ours)) if self.peer else None

    def median_ours(self):
        return statistics.median(self.ours)

    def median_peer(self):
        return statistics.median(self.peer) if self.peer else None


class DeviceClock:
    """Times work between events on the stream that it runs on. A side is a function that enqueues itself n times."""

    def __init__(self, torch, stream):
        self._torch, self._stream = torch, stream

    def synchronize(self):
        self._stream.synchronize()

    def _event(self):
        event = self._torch.cuda.Event(enable_timing=True)
        event.record(self._stream)
        return event

    def measure(self, works):
        """Seconds of each (side, times) in one go without gaps, divided by its times."""
        events = [self._event()]
        for side, times in works:
            side(times)
            events.append(self._event())
        self.synchronize()
        spans = [begin.elapsed_time(end) * 1e-3 for begin, end in zip(events, events[1:])]
        return [span / times for span, (_, times) in zip(spans, works)]


class HostClock:
    """For sides that time themselves: side(times) gives the seconds of one run."""

    def synchronize(self):
        pass

    def measure(self, works):
        return [side(times) for side, times in works]


def times_in(seconds, one_run):
    return max(1, round(seconds / one_run)) if one_run > 0 else 1


def put_under_load(clock, works, seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        clock.measure(works)


def paired(clock, ours, peer, plan, times=None):
    """times: runs of each side in a round; found from chunk_seconds when left out. peer may be None."""
    sides = [ours] if peer is None else [ours, peer]
    for side in sides:
        clock.measure([(side, times or 1)])  # the first run loads what is loaded late
    works = [(side, times or times_in(plan.chunk_seconds, clock.measure([(side, 3)])[0])) for side in sides]
    put_under_load(clock, works, plan.load_seconds)
    result = Times([], [])
    for i in range(plan.rounds):
        if plan.rest_seconds:
            clock.synchronize()
            time.sleep(plan.rest_seconds)
            clock.measure([(side, 1) for side in sides])
        order = works[::-1] if i % 2 == 0 else works
        seconds = dict(zip((side for side, _ in order), clock.measure(order)))
        result.ours.append(seconds[ours])
        if peer is not None:
            result.peer.append(seconds[peer])
    return result
