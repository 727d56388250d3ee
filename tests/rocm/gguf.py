"""Models of llama's architecture with random weights, as llama.cpp reads them (GGUF 3).

What a kernel of llama.cpp takes depends on the sizes and the types of the weights, not on their values: blocks are random
bytes with scales that keep activations finite.
"""

import dataclasses
import os
import random
import struct


@dataclasses.dataclass(frozen=True)
class Type:
    """A type of ggml: blocks of so many weights in so many bytes, with fields that are the same in each."""

    number: int
    weights: int
    size: int
    fields: tuple = ()  # (offset, bytes)

    def tensor(self, count, rng):
        blocks = count // self.weights
        data = bytearray(rng.randbytes(blocks * self.size))
        for offset, field in self.fields:
            for k, byte in enumerate(field):
                data[offset + k::self.size] = bytes([byte]) * blocks
        return data


def half(value):
    return struct.pack("<e", value)


TYPES = {
    "f32": Type(0, 1, 4, ((0, struct.pack("<f", 1.0)),)),
    "q4_0": Type(2, 32, 18, ((0, half(0.002)),)),
    "q2_K": Type(10, 256, 84, ((80, half(0.0002)), (82, half(0.0002)))),
    "q4_K": Type(12, 256, 144, ((0, half(0.0002)), (2, half(0.0002)))),
    "q5_K": Type(13, 256, 176, ((0, half(0.0002)), (2, half(0.0002)))),
    "q6_K": Type(14, 256, 210, ((192, b"\x08" * 16), (208, half(0.0002)))),
    "iq2_xxs": Type(16, 256, 66, ((0, half(0.0002)),)),
    "iq1_s": Type(19, 256, 50, ((0, half(0.002)),)),
}


@dataclasses.dataclass(frozen=True)
class Layer:
    """Types of a layer's matrices."""

    q: str
    k: str
    v: str
    output: str
    gate: str
    up: str
    down: str


@dataclasses.dataclass(frozen=True)
class Model:
    """Sizes of a model, and its layers by kind."""

    name: str
    embedding: int
    feed_forward: int
    heads: int
    kv_heads: int
    vocabulary: int
    file_type: int  # llama.cpp's number of the mixture
    embedding_type: str
    output_type: str  # "": the output is the embedding
    kinds: tuple  # (Layer, how many of the model's are of it)

    @property
    def layers(self):
        return sum(count for _, count in self.kinds)


def string(text):
    return struct.pack("<Q", len(text)) + text.encode()


def number(key, value):
    return string(key) + (struct.pack("<If", 6, value) if isinstance(value, float) else struct.pack("<II", 4, value))


def word(key, value):
    return string(key) + struct.pack("<I", 8) + string(value)


def tensors(model, layers, vocabulary):
    """[(name, shape, type)]"""
    wide, deep, kv = model.embedding, model.feed_forward, model.embedding // model.heads * model.kv_heads
    yield "token_embd.weight", (wide, vocabulary), model.embedding_type
    yield "output_norm.weight", (wide,), "f32"
    if model.output_type:
        yield "output.weight", (wide, vocabulary), model.output_type
    for k, layer in enumerate(layers):
        yield f"blk.{k}.attn_norm.weight", (wide,), "f32"
        yield f"blk.{k}.attn_q.weight", (wide, wide), layer.q
        yield f"blk.{k}.attn_k.weight", (wide, kv), layer.k
        yield f"blk.{k}.attn_v.weight", (wide, kv), layer.v
        yield f"blk.{k}.attn_output.weight", (wide, wide), layer.output
        yield f"blk.{k}.ffn_norm.weight", (wide,), "f32"
        yield f"blk.{k}.ffn_gate.weight", (wide, deep), layer.gate
        yield f"blk.{k}.ffn_up.weight", (wide, deep), layer.up
        yield f"blk.{k}.ffn_down.weight", (deep, wide), layer.down


def pairs(model, layers, vocabulary):
    """The file's metadata."""
    return [
        word("general.architecture", "llama"),
        word("general.name", model.name),
        number("general.file_type", model.file_type),
        number("llama.context_length", 8192),
        number("llama.embedding_length", model.embedding),
        number("llama.block_count", len(layers)),
        number("llama.feed_forward_length", model.feed_forward),
        number("llama.attention.head_count", model.heads),
        number("llama.attention.head_count_kv", model.kv_heads),
        number("llama.rope.dimension_count", model.embedding // model.heads),
        number("llama.rope.freq_base", 500000.0),
        number("llama.attention.layer_norm_rms_epsilon", 1e-5),
        number("llama.vocab_size", vocabulary),
        word("tokenizer.ggml.model", "no_vocab"),
    ]


def write(path, model, layers, vocabulary):
    """A model that has these layers, and so many words."""
    rng = random.Random(1)
    table, offset, listed = b"", 0, list(tensors(model, layers, vocabulary))
    for name, shape, kind in listed:
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        table += string(name) + struct.pack("<I", len(shape)) + b"".join(struct.pack("<Q", n) for n in shape)
        table += struct.pack("<IQ", TYPES[kind].number, offset)
        offset += (count // TYPES[kind].weights * TYPES[kind].size + 31) // 32 * 32
    metadata = pairs(model, layers, vocabulary)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(listed), len(metadata)) + b"".join(metadata) + table
    with open(path + ".new", "wb") as file:
        file.write(head + bytes(-len(head) % 32))
        for _, shape, kind in listed:
            data = TYPES[kind].tensor(shape[0] * (shape[1] if len(shape) > 1 else 1), rng)
            file.write(data + bytes(-len(data) % 32))
    os.rename(path + ".new", path)
