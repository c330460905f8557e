# SPDX-License-Identifier: Apache-2.0
"""llama.cpp as the peer of a benchmark: MODEL THREADS; then a line `decode N` or `prefill N` gets {"seconds": ...}.

Both go straight to the C interface: no sampling chain, no text, so that only the model's own work is timed. Greedy
choice of the next id is part of `decode`, as it is of ours."""
import ctypes
import json
import sys
import time

import llama_cpp
import numpy


def prompt_ids(count):
    return [100 + i * 7919 % 39900 for i in range(count)]  # the same ids as prompt_id of llama.hpp


class Peer:
    def __init__(self, model, threads):
        self.quiet = llama_cpp.llama_log_callback(lambda level, text, data: None)
        llama_cpp.llama_log_set(self.quiet, ctypes.c_void_p(0))
        self.model = llama_cpp.llama_model_load_from_file(model.encode(), llama_cpp.llama_model_default_params())
        if not self.model:
            sys.exit(f"llama_peer: llama.cpp cannot load {model}")
        options = llama_cpp.llama_context_default_params()
        options.n_ctx = 2048
        options.n_batch = options.n_ubatch = 512
        options.n_threads = options.n_threads_batch = threads
        self.context = llama_cpp.llama_init_from_model(self.model, options)
        self.vocabulary = llama_cpp.llama_vocab_n_tokens(llama_cpp.llama_model_get_vocab(self.model))

    def clear(self):
        llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(self.context), True)

    def step(self, ids):
        """Appends ids and returns the likeliest next one; reading the logits waits for the work."""
        tokens = (llama_cpp.llama_token * len(ids))(*ids)
        if llama_cpp.llama_decode(self.context, llama_cpp.llama_batch_get_one(tokens, len(ids))) != 0:
            sys.exit("llama_peer: llama_decode failed")
        logits = llama_cpp.llama_get_logits_ith(self.context, -1)
        return int(numpy.argmax(numpy.ctypeslib.as_array(logits, shape=(self.vocabulary,))))

    def decode(self, count):
        token = 1
        for _ in range(count):
            token = self.step([token])

    def prefill(self, count):
        self.step(prompt_ids(count))


def main():
    peer = Peer(sys.argv[1], int(sys.argv[2]))
    print(json.dumps({"name": f"llama-cpp-python {llama_cpp.__version__}"}), flush=True)
    works = {"decode": peer.decode, "prefill": peer.prefill}
    for line in sys.stdin:
        what, count = line.split()
        peer.clear()
        start = time.perf_counter()
        works[what](int(count))
        print(json.dumps({"seconds": time.perf_counter() - start}), flush=True)


if __name__ == "__main__":
    main()
