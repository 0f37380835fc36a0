"""Keyed streams of random numbers: the only randomness in simlab.

A stream is a SplitMix64 counter generator (Steele, Lea, Flood 2014: "Fast splittable pseudorandom
number generators"). Chance is keyed by (seed, deal, stream), strategies by (seed, game, seat), so a
deal is the same whatever the line-up, the batch size, the workers or which games are played.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simlab.core.functions import rule

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
BY_NUMBER = np.uint64(0xD1342543DE82EF95)
BY_STREAM = np.uint64(0xA24BAED4963EE407)
STRATEGIES = np.uint64(0x5851F42D4C957F2D)
S27, S30, S31, S32, S11 = (np.uint64(bits) for bits in (27, 30, 31, 32, 11))
ONE = np.uint64(1)
TO_UNIT = 1.0 / 9007199254740992.0


@rule
def scramble(z: Any) -> Any:
    """Mix the bits of a `u8` word (the finaliser of SplitMix64)."""
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@rule
def chance_key(seed: Any) -> Any:
    """Key of everything chance decides under a seed."""
    return scramble(np.uint64(seed) + GAMMA)


@rule
def strategy_key(seed: Any) -> Any:
    """Key of everything strategies draw under a seed."""
    return scramble((np.uint64(seed) ^ STRATEGIES) + GAMMA)


@rule
def numbered(key: Any, number: Any) -> Any:
    """Key of one deal (of a chance key) or of one game (of a strategy key)."""
    return scramble(key + (np.uint64(number) + ONE) * BY_NUMBER)


@rule
def stream(key: Any, number: Any) -> Any:
    """First state of one stream of a deal, or of one seat of a game."""
    return key + (np.uint64(number) + ONE) * BY_STREAM


@rule
def next_u64(rng: Any) -> Any:
    """Move the stream by one and return 64 random bits; `rng` is any record with a `state`."""
    rng.state = rng.state + GAMMA
    return scramble(rng.state)


@rule
def below(rng: Any, n: Any) -> Any:
    """Return a random integer 0 <= i < n (n below 2**32; bias under n / 2**32)."""
    return np.int64(((next_u64(rng) >> S32) * np.uint64(n)) >> S32)


@rule
def uniform(rng: Any) -> Any:
    """Return a random float 0 <= x < 1 with 53 bits."""
    return np.float64(next_u64(rng) >> S11) * TO_UNIT
