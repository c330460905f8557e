# SPDX-License-Identifier: Apache-2.0
"""The kernel rows: their data, their peer in PyTorch, their reference in float64, and what they must reach.

Both sides read the same buffers, filled with random numbers by PyTorch. A reference is taken on a part of the result,
under a stated bound; the element that uses most of its bound is shown."""
import dataclasses
import typing

from report import Bar
from timing import COOL, COOL_LONG, GENERAL, STEADY, STEADY_LONG

EPSILON = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23}  # spacing of numbers at 1
SMALLEST = {"f16": 2.0**-24, "bf16": 2.0**-133, "f32": 2.0**-149}
SAMPLE_ROWS = 64


@dataclasses.dataclass(frozen=True)
class Kernel:
    """One row of the library, measured under each of its plans: suffix -> plan."""

    name: str
    suite: str
    shape: str
    dtype: str
    unit: str
    work: float  # operations or bytes of one run
    peer_name: str
    fill: typing.Callable  # (torch, buffers)
    peer: typing.Callable  # (torch, buffers) -> function that enqueues one run; None: the row's own side 1
    check: typing.Callable  # (torch, buffers) -> (error, bound)
    bar: typing.Optional[Bar]
    plans: dict = dataclasses.field(default_factory=lambda: {"": GENERAL})
    roof: str = "memory"  # or matrix


def ratio(value):
    return Bar("ratio_at_least", value)


def worst(got, reference, bound):
    """The error and the bound of the element that uses most of its bound; NaN counts as beyond any."""
    error = (got.double() - reference).abs()
    used = (error / bound).nan_to_num(nan=float("inf"))
    at = int(used.argmax())
    return float(error.flatten()[at].nan_to_num(nan=float("inf"))), float(bound.flatten()[at])


def sampled(torch, rows):
    """Rows spread over the whole result, the last one included."""
    return torch.linspace(0, rows - 1, min(rows, SAMPLE_ROWS), device="cuda").long()


def fill_normal(*names, scale=1.0):
    def fill(torch, buffers):
        for name in names:
            part = buffers[name]
            part.normal_(0.0, scale)

    return fill


# ---- Products ------------------------------------------------------------------------------------------------------
def product_bound(dtype, depth, reference, magnitude):
    return depth * EPSILON["f32"] * magnitude + EPSILON[dtype] * reference.abs() + SMALLEST[dtype]


def gemm(dtype, n, least):
    def peer(torch, b):
        return lambda: torch.mm(b["x"], b["y"], out=b["z"])

    def check(torch, b):
        rows = sampled(torch, n)
        x, y = b["x"][rows].double(), b["y"].double()
        reference = x @ y
        return worst(b["z"][rows], reference, product_bound(dtype, n, reference, x.abs() @ y.abs()))

    return Kernel(name=f"gemm_{dtype}_{n}", suite="gemm", shape=f"{n}x{n}x{n}", dtype=dtype, unit="TFLOP/s",
                  work=2.0 * n**3, peer_name="cuBLAS (torch.mm)", fill=fill_normal("x", "y"), peer=peer, check=check,
                  bar=ratio(least), plans={"_cool": COOL, "_steady": STEADY}, roof="matrix")


def gemv(rows, columns, least):
    """Weights read cold: one graph goes through several matrices, far more than the L2 holds."""
    size = rows * columns * 2
    count = gemv_matrices(rows, columns)
    names = [f"w{i}" for i in range(count)]

    def fill(torch, b):
        for name in names + ["x"]:
            b[name].normal_()

    def peer(torch, b):
        x, z = b["x"].view(-1), b["z"].view(-1)
        return captured(torch, lambda: [torch.mv(b[name], x, out=z) for name in names])

    def check(torch, b):
        w, x = b[names[-1]].double(), b["x"].view(-1).double()
        reference = w @ x
        return worst(b["z"].view(-1), reference, product_bound("bf16", columns, reference, w.abs() @ x.abs()))

    return Kernel(name=f"gemv_bf16_{rows}x{columns}", suite="gemv", shape=f"{count} x {rows}x{columns}", dtype="bf16",
                  unit="GB/s", work=float(size * count), peer_name="cuBLAS (torch.mv), in a CUDA graph", fill=fill,
                  peer=peer, check=check, bar=ratio(least))


def gemv_matrices(rows, columns):
    return max(1, int(8e8 / (rows * columns * 2)))


def captured(torch, work):
    work()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return graph.replay


# ---- Attention -----------------------------------------------------------------------------------------------------
HEADS, HEAD_SIZE, QUERIES = 16, 128, 16384


def by_head(tensor):
    """[queries, heads * size] as the peer likes it: one contiguous matrix a head."""
    return tensor.view(QUERIES, HEADS, HEAD_SIZE).transpose(0, 1).contiguous()[None]


def attention_peer(is_causal):
    def peer(torch, b):
        from torch.nn.attention import SDPBackend, sdpa_kernel

        q, k, v = (by_head(b[name]) for name in "qkv")

        def run():
            with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
                torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=is_causal)

        return run

    return peer


def attention_check(is_causal):
    """|error| <= (16 eps(f16) + keys eps(f32)) sum w|v| + eps(f16) |result|: weights are rounded to f16 before the
    second product, scores come from f32 sums and an exp2 good to 2^-22 of scores below 2^7."""

    def check(torch, b):
        rows = sampled(torch, QUERIES)
        worst_pair = (0.0, 1.0)
        for head in (0, HEADS - 1):
            part = slice(head * HEAD_SIZE, (head + 1) * HEAD_SIZE)
            q, k, v = b["q"][rows, part].double(), b["k"][:, part].double(), b["v"][:, part].double()
            scores = q @ k.T / HEAD_SIZE**0.5
            if is_causal:
                scores.masked_fill_(torch.arange(QUERIES, device="cuda")[None] > rows[:, None], float("-inf"))
            weights = torch.softmax(scores, 1)
            reference, magnitude = weights @ v, weights @ v.abs()
            share = 16 * EPSILON["f16"] / 2 + QUERIES * EPSILON["f32"] / 16
            bound = share * magnitude + EPSILON["f16"] * reference.abs() + SMALLEST["f16"]
            found = worst(b["z"][rows, part], reference, bound)
            worst_pair = max(worst_pair, found, key=lambda pair: pair[0] / pair[1])
        return worst_pair

    return check


def fill_attention(torch, buffers):
    fill_normal("q", "k", "v")(torch, buffers)
    if "start" in buffers:  # the tile of the first key
        buffers["start"].zero_()


def attention(suffix, is_causal, least, peer, peer_name):
    work = 4.0 * HEADS * QUERIES * QUERIES * HEAD_SIZE * (0.5 if is_causal else 1.0)
    return Kernel(name=f"attention_f16_d128_16384_{suffix}", suite="attention",
                  shape=f"{QUERIES}x{HEADS}x{HEAD_SIZE}", dtype="f16", unit="TFLOP/s", work=work, peer_name=peer_name,
                  fill=fill_attention, peer=peer, check=attention_check(is_causal), bar=ratio(least),
                  plans={"_cool": COOL_LONG, "_steady": STEADY_LONG}, roof="matrix")


# ---- Rows of memory ------------------------------------------------------------------------------------------------
ROW = 4096
ELEMENTS = 2**28


def add():
    def check(torch, b):
        last = slice(-(2**20), None)
        reference = b["x"][last].double() + b["y"][last].double()
        return worst(b["z"][last], reference, EPSILON["f32"] * reference.abs() + SMALLEST["f32"])

    return Kernel(name="add_f32_2^28", suite="elementwise", shape="2^28", dtype="f32", unit="GB/s",
                  work=12.0 * ELEMENTS, peer_name="torch.add", fill=fill_normal("x", "y"),
                  peer=lambda torch, b: lambda: torch.add(b["x"], b["y"], out=b["z"]), check=check, bar=ratio(0.98))


def softmax():
    """|error| <= 2^-8 result + the least f16: the exponents are f32 sums of products, the result is rounded once."""

    def check(torch, b):
        rows = sampled(torch, ELEMENTS // ROW)
        reference = torch.softmax(b["x"][rows].double(), 1)
        return worst(b["z"][rows], reference, 4 * EPSILON["f16"] * reference + SMALLEST["f16"])

    return Kernel(name="softmax_f16_4096", suite="rows", shape=f"{ELEMENTS // ROW}x{ROW}", dtype="f16", unit="GB/s",
                  work=4.0 * ELEMENTS, peer_name="torch.softmax", fill=fill_normal("x"),
                  peer=lambda torch, b: lambda: torch.softmax(b["x"], 1, out=b["z"]), check=check, bar=ratio(2.8))


def rms_norm():
    def peer(torch, b):
        return lambda: torch.nn.functional.rms_norm(b["x"], (ROW,), b["weight"], 1e-6)

    def check(torch, b):
        rows = sampled(torch, ELEMENTS // ROW)
        x, weight = b["x"][rows].double(), b["weight"].double()
        reference = x * torch.rsqrt((x * x).mean(1, keepdim=True) + 1e-6) * weight
        return worst(b["z"][rows], reference, EPSILON["bf16"] * reference.abs() + SMALLEST["bf16"])

    return Kernel(name="rms_norm_bf16_4096", suite="rows", shape=f"{ELEMENTS // ROW}x{ROW}", dtype="bf16",
                  unit="GB/s", work=4.0 * ELEMENTS, peer_name="torch rms_norm", fill=fill_normal("x", "weight"),
                  peer=peer, check=check, bar=ratio(1.05))


KERNELS = (
    gemm("f16", 4096, 0.98),
    gemm("bf16", 8192, 0.98),
    attention("full", False, 0.97, attention_peer(False), "cuDNN through PyTorch"),
    attention("causal", True, 1.0, attention_peer(True), "cuDNN through PyTorch"),
    attention("full_checked", False, 0.98, None, "our image without checks"),
    add(),
    softmax(),
    rms_norm(),
    gemv(19456, 2560, 1.05),
    gemv(2560, 9728, 1.05),
    gemv(6144, 2560, 1.05),
    gemv(2560, 4096, 1.05),
)
