# SPDX-License-Identifier: Apache-2.0
"""The cases of a corpus of misuse, as ./dev misuse reads them."""
import collections
import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPUS = ROOT / "test" / "misuse"
LAYERS = ("types", "flow", "container", "run time only")


@dataclasses.dataclass
class Case:
    path: pathlib.Path
    kind: str
    layer: str = ""
    topic: str = "other"
    expect: str = ""
    needs: list = dataclasses.field(default_factory=list)
    includes: tuple = ()
    has_main: bool = False
    is_rehearsable: bool = False
    run: str = "n/a"
    run_message: str = ""

    @property
    def name(self):
        return self.path.stem

    @property
    def entry(self):
        return "misuse" if self.kind == "bad" else "correct"


def read_messages(corpus):
    named = collections.defaultdict(list)
    path = corpus / "messages.txt"
    for line in path.read_text().splitlines() if path.exists() else []:
        if not line.startswith("#") and " = " in line:
            name, regex = line.split(" = ", 1)
            named[name].append(regex)
    return {name: "|".join(regexes) for name, regexes in named.items()}


def read_case(path, kind, messages):
    text = path.read_text()
    case = Case(path, kind)
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        match = re.match(r"// (layer|expect|topic|needs): (.+)$", line)
        if not match:
            continue
        key, value = match.groups()
        if key == "layer":
            case.layer = next((layer for layer in LAYERS if value.startswith(layer)), "")
        elif key == "expect":
            case.expect = re.sub(r"\{([a-z_]+)\}", lambda m: f"(?:{messages[m[1]]})", value)
        elif key == "topic":
            case.topic = value
        else:
            case.needs.append(value)
    if kind == "bad" and path.is_relative_to(CORPUS) and not (case.layer and case.expect):
        raise SystemExit(f"misuse: {path} does not say its layer and what to expect")
    case.includes = tuple(line for line in text.splitlines() if line.startswith("#include"))
    case.has_main = re.search(r"^int main\(", text, re.M) is not None
    case.is_rehearsable = re.search(rf"^(REHEARSABLE|constexpr) \w+ {case.entry}\(", text, re.M) is not None
    return case


def is_there(need):
    word, _, place = need.rpartition(" in ")
    place = ROOT / "include" / place
    headers = [place] if place.is_file() else sorted(place.rglob("*.hpp"))
    return any(re.search(rf"\b{re.escape(word)}\b", h.read_text()) for h in headers) if word else bool(headers)


def read_corpus(corpus, wanted):
    messages = read_messages(corpus)
    cases = [read_case(path, kind, messages) for kind in ("bad", "good", "limit")
             for path in sorted((corpus / kind).glob("*.cpp"))]
    twice = [name for name, count in collections.Counter(case.name for case in cases).items() if count > 1]
    if twice:
        raise SystemExit(f"misuse: two cases have the name {twice[0]}")
    if wanted:
        cases = [case for case in cases if any(re.search(w, case.name) for w in wanted)]
    pending = {case.name: need for case in cases for need in case.needs if not is_there(need)}
    return [case for case in cases if case.name not in pending], pending
