"""Chaining as textbooks define it, computed with lists, against what the program makes of the same keys.

chaining.py PROGRAM
"""
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path


def chains_of(keys, heads):
    """h(k) = k mod m, and a new key comes first in its chain."""
    chains = [[] for _ in range(heads)]
    for key in keys:
        chain = chains[key % heads]
        if key not in chain:
            chain.insert(0, key)
    return chains


def scenario(keys, heads, nodes):
    table = {"family": "separate_chaining", "slots": heads, "hash": "identity", "nodes": nodes}
    return {"version": 1, "table": table, "steps": [{"op": "insert", "key": key} for key in keys]}


def statistics(program, folder, document):
    path = folder / "chains.slotscape.json"
    path.write_text(json.dumps(document))
    subprocess.run([program, "run", str(path), "--backend", "cpu", "--headless", "--frames", "1", "--stats",
                    str(folder / "stats.json")], check=True, stdout=subprocess.DEVNULL)
    return json.loads((folder / "stats.json").read_text())


def histogram(numbers):
    counts = Counter(numbers)
    return [counts[number] for number in range(max(counts) + 1)] if counts else []


def close(measured, expected):
    assert abs(measured - expected) < 1e-9, (measured, expected)


def check(program, folder, keys, heads, nodes):
    chains = chains_of(keys, heads)
    found = statistics(program, folder, scenario(keys, heads, nodes))
    stored = len(set(keys))
    assert found["table"]["slots"] == heads
    assert found["table"]["nodes"] == nodes * heads
    assert found["table"]["live"] == stored
    close(found["table"]["load_factor"], stored / heads)
    assert found["groups"]["histogram"] == histogram(len(chain) for chain in chains)
    places = [place for chain in chains for place in range(len(chain))]
    assert found["probe_length"]["histogram"] == histogram(places)
    close(found["accesses"]["hits"]["mean"], sum(2 + 2 * place for place in places) / stored)
    close(found["accesses"]["misses"]["mean"], sum(1 + len(c) + max(len(c) - 1, 0) for c in chains) / heads)
    return chains


def coalesced(keys, slots, cellar):
    """Algorithm C of Knuth, TAOCP 3, 6.4: the slots and their links. The last `cellar` slots are no key's home."""
    table, links = [None] * slots, [None] * slots
    for key in keys:
        at = key % (slots - cellar)
        while table[at] not in (None, key) and links[at] is not None:
            at = links[at]
        if table[at] not in (None, key):
            free = max(slot for slot in range(slots) if table[slot] is None)
            links[at] = at = free
        table[at] = key
    return table, links


def check_coalesced(program, folder, keys, slots, percent):
    cellar = slots * percent // 100
    table, links = coalesced(keys, slots, cellar)
    homes = slots - cellar

    def chain(at):
        chain = [at] if table[at] is not None else []
        while chain and links[chain[-1]] is not None:
            chain.append(links[chain[-1]])
        return chain

    document = scenario(keys, slots, 0)
    document["table"] = {"family": "coalesced", "slots": slots, "hash": "identity", "cellar": percent}
    found = statistics(program, folder, document)
    places = [chain(key % homes).index(slot) for slot, key in enumerate(table) if key is not None]
    assert found["table"]["live"] == len(set(keys))
    assert found["probe_length"]["histogram"] == histogram(places)
    close(found["accesses"]["hits"]["mean"], sum(1 + 2 * place for place in places) / len(places))
    return table


def refuses(program, folder, keys, heads, nodes, load):
    document = scenario(keys, heads, nodes)
    document["steps"].append({"op": "fill", "load": load})
    path = folder / "refused.slotscape.json"
    path.write_text(json.dumps(document))
    done = subprocess.run([program, "run", str(path), "--backend", "cpu", "--headless", "--frames", "1"],
                          capture_output=True, text=True)
    assert done.returncode != 0 and "load" in done.stderr, done.stderr


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Cormen et al., Introduction to Algorithms, 4th edition, exercise 11.2-2.
        chains = check(program, folder, [5, 28, 19, 15, 20, 33, 12, 17, 10], 9, 2)
        assert chains == [[], [10, 19, 28], [20], [12], [], [5], [33, 15], [], [17]]
        draw = random.Random(1)
        for heads, nodes, load in [(11, 1, 0.5), (13, 2, 2.0), (16, 4, 4.0), (50, 8, 4.0), (101, 4, 3.0)]:
            check(program, folder, draw.sample(range(1, 100_000), int(load * heads)), heads, nodes)
        keys = [draw.randrange(1, 60) for _ in range(80)]  # some come again, and stay where they are
        check(program, folder, keys, 16, 4)
        table = check_coalesced(program, folder, [20, 35, 16, 40, 45, 25, 32, 37, 22, 55], 10, 0)
        assert table == [20, 55, 32, 22, 37, 35, 16, 25, 45, 40]
        for slots, percent, load in [(11, 0, 0.9), (16, 14, 1.0), (50, 14, 0.8), (101, 0, 1.0)]:
            check_coalesced(program, folder, draw.sample(range(1, 100_000), int(load * slots)), slots, percent)
        refuses(program, folder, [1], 16, 2, 2.5)


if __name__ == "__main__":
    main(sys.argv[1])
