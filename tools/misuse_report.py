# SPDX-License-Identifier: Apache-2.0
"""What ./dev misuse found: the matrix, the summary, and the comparison with what is stored."""
import collections
import re

from misuse_corpus import LAYERS

# What users of one compiler have together.
FAMILIES = {
    "g++-12 -O2": ("g++-12-O2",),
    "g++-12 -O2 + rehearsal": ("g++-12-O2", "g++-12-rehearsal"),
    "clang-22 + plugin": ("clang-22-plugin",),
    "clang-22 + plugin + rehearsal": ("clang-22-plugin", "clang-22-plugin-rehearsal"),
}
# How a refusal was found, by its message; the first that matches.
MECHANISMS = (
    ("other", r"^other:"),
    ("twcheck", r"\[twcheck-"),
    ("rehearsal", r"constant expression|constexpr|refuse_\w+|report_\w+"),
    ("optimiser", r"declared with (attribute error|'error' attribute)"),
    ("consumed", r"'(un)?consumed' state|-Wconsumed"),
    ("loans", r"thread-safety"),
    ("dangling", r"dangling|return-stack-address|return-local|stack memory"),
    ("nodiscard", r"nodiscard|unused-result"),
    ("unused", r"unused.variable"),
    ("deleted", r"deleted"),
    ("assert", r"static.assert"),
    ("types", r""),
)


def mechanism(message):
    return next(name for name, regex in MECHANISMS if re.search(regex, message))


def rows_of(cases, names, verdicts):
    for case in cases:
        for name in names:
            compiled, message = verdicts[case.name, name]
            yield {"case": case.name, "kind": case.kind, "toolchain": name, "layer": case.layer, "topic": case.topic,
                   "compile": compiled, "message": message, "run": case.run, "run_message": case.run_message[:300]}


def is_caught(verdict):
    return verdict is not None and verdict[0] == "rejected" and not verdict[1].startswith("other:")


def print_matrix(cases, names, verdicts, pending):
    print("| case | layer | " + " | ".join(names) + " | run |\n" + "|---" * (len(names) + 3) + "|")
    for case in cases:
        cells = []
        for name in names:
            compiled, message = verdicts[case.name, name]
            cells.append("-" if compiled == "accepted" else mechanism(message))
        print(f"| {case.name} | {case.layer or case.kind} | " + " | ".join(cells) + f" | {case.run} |")
    for name, need in pending.items():
        print(f"| {name} | pending: {need} |")


def share(count, total):
    return f"{count} of {total}" + (f" ({100 * count / total:.0f} %)" if total else "")


def caught_at_layer(case, family, verdicts):
    if case.layer == "run time only":
        return case.run in ("throws", "handler") or any(is_caught(verdicts.get((case.name, n))) for n in family)
    return any(is_caught(verdicts.get((case.name, name))) for name in family)


def print_topics(bad, families):
    print("\n| topic | wrong programs | " + " | ".join(families) + " | when it runs |\n" + "|---" * (len(families) + 3) + "|")
    for topic, count in sorted(collections.Counter(c.topic for c in bad).items()):
        told = sum(c.topic == topic and c.run in ("throws", "handler") for c in bad)
        caught = [str(entry["topics"].get(topic, 0)) for entry in families.values()]
        print(f"| {topic} | {count} | " + " | ".join(caught) + f" | {told} |")


def summarize(cases, names, verdicts, pending):
    """A dictionary for the file, and the same printed."""
    bad = [case for case in cases if case.kind == "bad"]
    fine = {kind: [case for case in cases if case.kind == kind] for kind in ("good", "limit")}
    summary = {"pending": len(pending), "toolchains": {}, "families": {}, "run": {}}
    print("\nwhile C++ compiles")
    for name in names:
        caught = sum(is_caught(verdicts[case.name, name]) for case in bad)
        other = sum(verdicts[c.name, name][1].startswith("other:") for c in bad)
        alarms = {kind: [c.name for c in fine[kind] if is_caught(verdicts[c.name, name])] for kind in fine}
        rehearsed = {kind: sum(c.is_rehearsable for c in those) for kind, those in {"bad": bad, **fine}.items()}
        summary["toolchains"][name] = {"caught": caught, "bad": len(bad), "refused for another reason": other,
                                       "false alarms": alarms["good"], "good": len(fine["good"]),
                                       "known false alarms": alarms["limit"], "limit": len(fine["limit"])}
        if name.endswith("rehearsal"):
            summary["toolchains"][name]["rehearsed"] = rehearsed
        print(f"  {name:<26} caught {share(caught, len(bad))}, for another reason {other}, false alarms "
              f"{len(alarms['good'])} of {len(fine['good'])}, known ones {len(alarms['limit'])} of {len(fine['limit'])}" +
              (f", rehearsed {rehearsed['bad']} bad, {rehearsed['good']} good" if name.endswith("rehearsal") else ""))
    for family, members in FAMILIES.items():
        members = [name for name in members if name in names]
        if not members:
            continue
        caught = [c for c in bad if any(is_caught(verdicts[c.name, n]) for n in members)]
        entry = summary["families"][family] = {"toolchains": members, "caught": len(caught), "bad": len(bad), "layers": {},
                                               "topics": dict(collections.Counter(c.topic for c in caught))}
        print(f"\n{family} ({', '.join(members)}): caught {share(len(caught), len(bad))} while C++ compiles")
        for layer in LAYERS:
            those = [c for c in bad if c.layer == layer]
            missed = [c.name for c in those if not caught_at_layer(c, members, verdicts)]
            entry["layers"][layer] = [len(those) - len(missed), len(those)]
            if those:
                print(f"  layer {layer:<16} {share(len(those) - len(missed), len(those))}" +
                      (f"  not: {' '.join(missed)}" if missed else ""))
    print_topics(bad, summary["families"])
    print("\nat run time, checks of compilers off")
    for kind in ("bad", "good", "limit"):
        those = [case for case in cases if case.kind == kind]
        counts = summary["run"][kind] = dict(sorted(collections.Counter(case.run for case in those).items()))
        print(f"  {kind}: " + (", ".join(f"{k} {n}" for k, n in counts.items()) or "none"))
    return summary


# ---- The stored expectation -----------------------------------------------------------------------------------------
ORDER = {"accepted": 0, "silent": 0, "other": 0, "rejected": 1, "handler": 1, "throws": 1, "n/a": 1}


def found_of(case, names, verdicts):
    found = {}
    for name in names:
        compiled, message = verdicts[case.name, name]
        found[name] = "other" if message.startswith("other:") else compiled
    if case.run != "n/a" or not names:
        found["run"] = case.run
    return found


def read_expected(path):
    """One line per case: `name column=value ...`."""
    lines = [line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return {words[0]: dict(word.split("=", 1) for word in words[1:]) for words in lines}


def compare(cases, names, verdicts, path):
    expected = read_expected(path)
    faults = 0
    for case in cases:
        wanted = expected.get(case.name, {})
        if case.kind == "good":  # whatever is stored
            wanted = {name: "accepted" for name in names} | {"run": "silent"}
        for column, value in found_of(case, names, verdicts).items():
            if column not in wanted:
                print(f"new: {case.name}, {column}: {value}; store it with --update")
                continue
            more = ORDER[value] - ORDER[wanted[column]]
            more = more if case.kind == "bad" else -more
            if case.kind != "bad" and column == "run":
                more = 0 if value == wanted[column] else -1
            if more < 0:
                faults += 1
                why = case.run_message if column == "run" else verdicts[case.name, column][1]
                print(f"FAILED  {case.name}, {column}: {value}, expected {wanted[column]}: {why}")
            elif more > 0:
                print(f"better: {case.name}, {column}: {value}, expected {wanted[column]}")
    return faults


def store(cases, names, verdicts, path):
    expected = read_expected(path) if path.exists() else {}
    for case in (case for case in cases if case.kind != "good"):
        expected.setdefault(case.name, {}).update(found_of(case, names, verdicts))
    head = [line for line in path.read_text().splitlines() if line.startswith("#")] if path.exists() else []
    rows = [" ".join([name, *(f"{k}={v}" for k, v in sorted(expected[name].items()))]) for name in sorted(expected)]
    path.write_text("\n".join([*head, *rows, ""]))
