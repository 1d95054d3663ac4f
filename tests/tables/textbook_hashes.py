#!/usr/bin/env python3
"""Known answers of hash functions, computed apart from the program: from the textbooks and the papers, with the
integers of any size and the exact fractions of Python. Prints the rows of hash_formula_test.cpp; with --check FILE it
fails where that file has other ones.

Columns: formula, key, slots, bits of keys, hash."""

import argparse
import sys
from fractions import Fraction

WORD = 1 << 64


def division(key, slots, bits):
    return key % slots


def multiplication(key, slots, bits):
    product = Fraction(6180339887, 10**10) * key
    return int(slots * (product - int(product)))


def mid_square(key, slots, bits):
    return int(str(key * key).zfill(8)[-6:-2])


def folding(key, slots, bits):
    text = str(key).zfill(9)
    return int(text[-3:]) + int(text[-6:-3]) + int(text[-9:-6])


def coordinates(key, bits):
    width = 21 if bits == 64 else 10
    return [(key >> (width * axis)) % (1 << width) for axis in range(3)]


def teschner(key, slots, bits):
    """Teschner et al. 2003, 'Optimized Spatial Hashing for Collision Detection of Deformable Objects', 3."""
    x, y, z = coordinates(key, bits)
    return x * 73856093 ^ y * 19349669 ^ z * 83492791


def morton(key, slots, bits):
    return sum(((c >> i) & 1) << (3 * i + axis) for axis, c in enumerate(coordinates(key, bits)) for i in range(21))


def octets(key, bits):
    return key.to_bytes(bits // 8, "little")


def fnv1a(key, slots, bits):
    value = 0xCBF29CE484222325
    for octet in octets(key, bits):
        value = (value ^ octet) * 0x100000001B3 % WORD
    return value


def crc32c(key, slots, bits):
    """By a table, as most programs have it."""
    table = []
    for octet in range(256):
        for _ in range(8):
            octet = octet >> 1 ^ (0x82F63B78 if octet & 1 else 0)
        table.append(octet)
    crc = 0xFFFFFFFF
    for octet in octets(key, bits):
        crc = crc >> 8 ^ table[(crc ^ octet) & 0xFF]
    return crc ^ 0xFFFFFFFF


def murmur3(key, slots, bits):
    """fmix32 and fmix64 of MurmurHash3."""
    if bits == 64:
        for shift, factor in ((33, 0xFF51AFD7ED558CCD), (33, 0xC4CEB9FE1A85EC53), (33, 1)):
            key = (key ^ key >> shift) * factor % WORD
        return key
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        key = (key ^ key >> shift) * factor % (1 << 32)
    return key


def splitmix64(key, slots, bits):
    key = (key + 0x9E3779B97F4A7C15) % WORD
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        key = (key ^ key >> shift) * factor % WORD
    return key


def wyhash(key, slots, bits):
    product = (key ^ 0xA0761D6478BD642F) * 0xE7037ED1A0B428DB
    return product % WORD ^ product // WORD


def fibonacci(key, slots, bits):
    return key * 0x9E3779B97F4A7C15 % WORD * slots // WORD


def boost(key, slots, bits):
    seed = 0
    for value in coordinates(key, bits):
        seed ^= (value + 0x9E3779B9 + (seed << 6) + (seed >> 2)) % WORD
        seed %= WORD
    return seed


def nvblox(key, slots, bits):
    """Index3DHash of nvblox/core/hash.h, cast to 32 bits; 17191 is its own number."""
    return sum(c * 17191**axis for axis, c in enumerate(coordinates(key, bits))) % (1 << 32)


def open3d(key, slots, bits):
    """MiniVecHash of open3d/core/hashmap: FNV-1a with the decimal constants that it has, of whole coordinates."""
    value = 14695981039346656037
    for coordinate in coordinates(key, bits):
        value = (value ^ coordinate) * 1099511628211 % WORD
    return value


FUNCTIONS = {
    "division": division, "multiplication": multiplication, "mid_square": mid_square, "folding": folding,
    "teschner": teschner, "morton": morton, "fnv1a": fnv1a, "crc32": crc32c, "murmur3": murmur3,
    "splitmix64": splitmix64, "wyhash": wyhash, "fibonacci": fibonacci, "boost": boost,
    "nvblox": nvblox, "open3d": open3d,
}
# CLRS 11.3.2 has the key 123456 and 2^14 slots, whose answer is 67; Knuth's squares have keys of four digits.
KEYS = {
    "division": [(100, 12, 32), (1234567890123456789, 701, 64)],
    "multiplication": [(123456, 1 << 14, 32), (1, 1000, 32), (4294967290, 1009, 32)],
    "mid_square": [(4765, 10000, 32), (9999, 10000, 32), (12, 10000, 32)],
    "folding": [(123456789, 1000, 32), (5, 1000, 32)],
}
USUAL = [(0, 1009, 32), (1, 1009, 32), (0x3456789A, 1009, 32), (0x0123456789ABCDEF, 1 << 20, 64), (WORD - 4, 1009, 64)]


def rows():
    for name in FUNCTIONS:
        for key, slots, bits in KEYS.get(name, USUAL):
            yield f'    {{"{name}", {key}u, {slots}u, {bits}, {FUNCTIONS[name](key, slots, bits)}u}},'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", metavar="FILE", help="the test that holds the rows")
    options = parser.parse_args()
    text = "\n".join(rows())
    if options.check is None:
        print(text)
        return 0
    with open(options.check, encoding="utf-8") as file:
        written = "".join(file.read().split())
    missing = [row for row in rows() if "".join(row.split()) not in written]
    for row in missing:
        print("missing: " + row.strip())
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
