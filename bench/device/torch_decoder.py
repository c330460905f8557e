# SPDX-License-Identifier: Apache-2.0
"""The peer of the decode rows: Qwen3's shapes with random bf16 weights in PyTorch, one step compiled into CUDA graphs
(torch.compile, reduce-overhead), fused qkv and gate+up products, a cache of fixed length, argmax on the device."""
import dataclasses
import time

import torch
import torch.nn.functional as F

VOCABULARY = 151936
HEAD = 128


@dataclasses.dataclass(frozen=True)
class Shape:
    hidden: int
    layers: int
    heads: int
    key_heads: int
    inner: int


SHAPES = {"0.6b": Shape(1024, 28, 16, 8, 3072), "4b": Shape(2560, 36, 32, 8, 9728)}


def weight(rows, columns):
    return torch.nn.Parameter(torch.empty(rows, columns, dtype=torch.bfloat16, device="cuda").normal_(0, 0.02), False)


def ones(size):
    return torch.nn.Parameter(torch.ones(size, dtype=torch.bfloat16, device="cuda"), False)


def norm(x, scale):
    return F.rms_norm(x, (x.shape[-1],), scale, 1e-6)


class Layer(torch.nn.Module):
    def __init__(self, shape, cache_length):
        super().__init__()
        self.shape = shape
        self.before, self.after = ones(shape.hidden), ones(shape.hidden)
        self.query_scale, self.key_scale = ones(HEAD), ones(HEAD)
        self.qkv = weight((shape.heads + 2 * shape.key_heads) * HEAD, shape.hidden)
        self.out = weight(shape.hidden, shape.heads * HEAD)
        self.gate_up = weight(2 * shape.inner, shape.hidden)
        self.down = weight(shape.hidden, shape.inner)
        cache = (1, shape.key_heads, cache_length, HEAD)  # (batch, key heads, positions, head size)
        for name in ("keys", "values"):
            self.register_buffer(name, torch.randn(cache, dtype=torch.bfloat16, device="cuda"))

    def forward(self, x, position, cosine, sine, mask):
        counts = [self.shape.heads, self.shape.key_heads, self.shape.key_heads]
        q, k, v = F.linear(norm(x, self.before), self.qkv).view(1, 1, -1, HEAD).split(counts, 2)

        def rotated(t):
            low, high = t.chunk(2, -1)
            return t * cosine + torch.cat((-high, low), -1) * sine

        q, k = rotated(norm(q, self.query_scale)), rotated(norm(k, self.key_scale))
        self.keys[:, :, position] = k.transpose(1, 2)
        self.values[:, :, position] = v.transpose(1, 2)
        seen = F.scaled_dot_product_attention(q.transpose(1, 2), self.keys, self.values, attn_mask=mask,
                                              enable_gqa=True)
        x = x + F.linear(seen.transpose(1, 2).reshape(1, 1, -1), self.out)
        gate, up = F.linear(norm(x, self.after), self.gate_up).chunk(2, -1)
        return x + F.linear(F.silu(gate) * up, self.down)


class Decoder(torch.nn.Module):
    def __init__(self, shape, cache_length):
        super().__init__()
        self.embedding = weight(VOCABULARY, shape.hidden)  # also the last product: both sizes tie them
        self.layers = torch.nn.ModuleList(Layer(shape, cache_length) for _ in range(shape.layers))
        self.last = ones(shape.hidden)
        frequencies = 1e6 ** (-torch.arange(0, HEAD, 2, device="cuda").float() / HEAD)
        self.positions = torch.arange(cache_length, device="cuda")
        angles = torch.cat([self.positions.float()[:, None] * frequencies] * 2, -1)
        self.cosine, self.sine = angles.cos().bfloat16(), angles.sin().bfloat16()

    def forward(self, token, position):
        x = self.embedding[token]
        cosine, sine = self.cosine[position][None, :, None], self.sine[position][None, :, None]
        mask = (self.positions <= position)[None, None, None]
        for layer in self.layers:
            x = layer(x, position, cosine, sine, mask)
        return F.linear(norm(x, self.last), self.embedding).argmax(-1)


class DecodePeer:
    def __init__(self, size, context):
        self.context = context
        with torch.no_grad():
            self.model = Decoder(SHAPES[size], 2 * context)
            self.step = torch.compile(self.model, mode="reduce-overhead", fullgraph=True)
            self.token = torch.zeros(1, 1, dtype=torch.long, device="cuda")
            self.position = torch.full((1,), context, dtype=torch.long, device="cuda")
            self.run(5)

    def run(self, steps):
        """Seconds of one step, each of which waits for the id of the one before."""
        with torch.no_grad():
            self.position.fill_(self.context)
            torch.cuda.synchronize()
            start = time.perf_counter()
            for _ in range(steps):
                self.token = self.step(self.token, self.position).clone()
                self.position += 1
            torch.cuda.synchronize()
        return (time.perf_counter() - start) / steps

    def weight_bytes(self):
        return sum(each.nbytes for each in self.model.parameters())
