"""SHA-256 of thousands of short messages: sixteen at a time, each in a lane of the processor's vectors.

hashlib takes most of its time to begin and end a message as short as a block's rows, and holds the interpreter's lock.
Messages lie one behind the other, each in a room of whole chunks, with space for what SHA-256 adds to it.
"""

from __future__ import annotations

from itertools import count, islice
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from ttr_sim.engine.jit import compiled

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]

DIGEST_BYTES = 32
LANES = 16
CHUNK = 64
WORD = 4
LENGTH_BYTES = 8  # of the message's length in bits, at the end of its last chunk
END_OF_MESSAGE = 0x80

_LANES_OF_WORDS = ir.VectorType(ir.IntType(32), LANES)


def _root_bits(power: int, numbers: int) -> list[int]:
    """Return the first 32 bits behind the point of these roots of the first primes: the constants of SHA-256."""
    primes = (number for number in count(2) if all(number % smaller for smaller in range(2, number)))
    return [_whole_root(prime << 32 * power, power) & 0xFFFFFFFF for prime in islice(primes, numbers)]


def _whole_root(number: int, power: int) -> int:
    root = 0
    for bit in reversed(range(40)):
        root |= (1 << bit) * ((root | 1 << bit) ** power <= number)
    return root


_CHAIN, _ROUNDS = _root_bits(2, 8), _root_bits(3, 64)
_START = np.repeat(np.array(_CHAIN, np.uint32), LANES).reshape(-1, LANES)


def rooms_for(sizes: Ints) -> Ints:
    """Return where the room of each message begins, and where the last one ends."""
    chunks = (sizes + LENGTH_BYTES) // CHUNK + 1
    return np.append(0, np.cumsum(chunks * CHUNK))


def digests_of(laid: Bytes, rooms: Ints, ends: Ints) -> bytes:
    """Return the digests of all messages, joined; each ends somewhere in its room, which holds zeros behind it."""
    digests = np.empty((len(ends), DIGEST_BYTES), np.uint8)
    _digest_all(laid, rooms, ends, _START, digests)
    return digests.tobytes()


@compiled
def _digest_all(laid: Any, rooms: Any, ends: Any, start: Any, digests: Any) -> None:
    chain, words = np.empty((8, LANES), np.uint32), np.empty((CHUNK // WORD, LANES), np.uint32)
    for message in range(len(ends)):
        _end_message(laid, rooms[message], ends[message], rooms[message + 1])
    for first in range(0, len(ends), LANES):
        lanes, longest = min(LANES, len(ends) - first), 0
        for lane in range(lanes):
            longest = max(longest, rooms[first + lane + 1] - rooms[first + lane])
        chain[:] = start
        for at in range(0, longest, CHUNK):
            for lane in range(lanes):
                if rooms[first + lane] + at < rooms[first + lane + 1]:
                    _load_chunk(laid, rooms[first + lane] + at, words, lane)
            _mix_chunk(chain, words)
            for lane in range(lanes):  # the lanes of shorter messages go on in vain
                if rooms[first + lane] + at + CHUNK == rooms[first + lane + 1]:
                    _store_digest(chain, lane, digests[first + lane])


@compiled
def _end_message(laid: Any, start: Any, end: Any, end_of_room: Any) -> None:
    laid[end] = END_OF_MESSAGE
    bits = (end - start) * 8
    for byte in range(LENGTH_BYTES):
        laid[end_of_room - 1 - byte] = bits >> 8 * byte & 0xFF


@compiled
def _load_chunk(laid: Any, at: Any, words: Any, lane: Any) -> None:
    """Set the lane's words, whose first byte is their highest."""
    for word in range(CHUNK // WORD):
        byte = at + WORD * word
        high, low = np.uint32(laid[byte]) << 8 | laid[byte + 1], np.uint32(laid[byte + 2]) << 8 | laid[byte + 3]
        words[word, lane] = np.uint32(high) << 16 | low


@compiled
def _store_digest(chain: Any, lane: Any, digest: Any) -> None:
    for byte in range(DIGEST_BYTES):
        digest[byte] = chain[byte // WORD, lane] >> np.uint32(24 - 8 * (byte % WORD)) & np.uint32(0xFF)


def _typed_mix(typing_context: Any, chain: Any, words: Any) -> Any:
    """Mix a chunk of each lane's message into its chain: all rounds one after another, without a loop."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows = [
            context.make_array(kind)(context, builder, value).data
            for kind, value in zip(signature.args, arguments, strict=True)
        ]
        _Mixer(builder).mix(*rows)
        return context.get_dummy_value()

    return types.void(chain, words), generate


_mix_chunk: Any = intrinsic(_typed_mix)


class _Mixer:
    """Writes the rounds of SHA-256 as LLVM's instructions on vectors of one word of each lane."""

    def __init__(self, builder: Any) -> None:
        self._builder = builder

    def mix(self, chain_rows: Any, word_rows: Any) -> None:
        chain, words = self._load(chain_rows, len(_CHAIN)), self._load(word_rows, CHUNK // WORD)
        mixed = list(chain)
        for number, constant in enumerate(_ROUNDS):
            if number >= len(words):
                words.append(self._next_word(words))
            mixed = self._round(mixed, words[number], constant)
        for row, (old, new) in enumerate(zip(chain, mixed, strict=True)):
            self._builder.store(self._sum(old, new), self._row(chain_rows, row), align=WORD)

    def _round(self, mixed: list[Any], word: Any, constant: int) -> list[Any]:
        a, b, c, d, e, f, g, h = mixed
        build = self._builder
        chosen = build.xor(build.and_(e, build.xor(f, g)), g)
        majority = build.or_(build.and_(a, b), build.and_(c, build.or_(a, b)))
        first = self._sum(h, self._turned(e, 6, 11, 25), chosen, _everywhere(constant), word)
        second = self._sum(self._turned(a, 2, 13, 22), majority)
        return [self._sum(first, second), a, b, c, self._sum(d, first), e, f, g]

    def _next_word(self, words: list[Any]) -> Any:
        early, late = words[-15], words[-2]
        early = self._xor(self._turn(early, 7), self._turn(early, 18), self._shift(early, 3))
        late = self._xor(self._turn(late, 17), self._turn(late, 19), self._shift(late, 10))
        return self._sum(words[-16], early, words[-7], late)

    def _turned(self, value: Any, *bits: int) -> Any:
        return self._xor(*(self._turn(value, number) for number in bits))

    def _turn(self, value: Any, bits: int) -> Any:
        return self._builder.or_(self._shift(value, bits), self._builder.shl(value, _everywhere(32 - bits)))

    def _shift(self, value: Any, bits: int) -> Any:
        return self._builder.lshr(value, _everywhere(bits))

    def _xor(self, first: Any, second: Any, third: Any) -> Any:
        return self._builder.xor(self._builder.xor(first, second), third)

    def _sum(self, *values: Any) -> Any:
        total = values[0]
        for value in values[1:]:
            total = self._builder.add(total, value)
        return total

    def _load(self, rows: Any, number: int) -> list[Any]:
        return [self._builder.load(self._row(rows, row), align=WORD, typ=_LANES_OF_WORDS) for row in range(number)]

    def _row(self, rows: Any, number: int) -> Any:
        start = self._builder.bitcast(rows, _LANES_OF_WORDS.as_pointer())
        return self._builder.gep(start, [ir.Constant(ir.IntType(64), number)], source_etype=_LANES_OF_WORDS)


def _everywhere(number: int) -> Any:
    return ir.Constant(_LANES_OF_WORDS, [number] * LANES)
