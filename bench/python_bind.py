#!/usr/bin/env python3
"""What Python costs over the command: both read the same character, bind it and write it, in turns.

    PYTHONPATH=build/python /usr/bin/python3 bench/python_bind.py build/bin/sinew [VERTICES [RUNS]]

And what two threads of Python gain, each with a character of its own and one thread of the library. The command is a process of its own. Python is timed in its process from load to save, and once more with the start of the
interpreter and the imports. The least of all runs counts: what is above it is other work on the machine.
"""
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import sinew

SCRIPT = "import sinew; hero = sinew.load('in.glb'); hero.bind('{method}'); hero.save('python.glb')"


def timed(work):
    """(wall-clock, processor) seconds of this process and its children."""
    def processor():
        return sum(getattr(resource.getrusage(who), name) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
                   for name in ("ru_utime", "ru_stime"))
    wall, used = time.perf_counter(), processor()
    work()
    return time.perf_counter() - wall, processor() - used


def bind_here(method):
    hero = sinew.load("in.glb")
    hero.bind(method)
    hero.save("here.glb")


def bind_two(method, together):
    """Wall-clock seconds of two binds, at the same time or one after the other."""
    heroes = [sinew.load("in.glb") for _ in range(2)]
    threads = [threading.Thread(target=hero.bind, args=(method,), kwargs={"threads": 1}) for hero in heroes]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
        if not together:
            thread.join()
    for thread in threads:
        thread.join()
    return time.perf_counter() - begun


def main():
    program = str(Path(sys.argv[1]).resolve())
    vertices = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    os.environ["PYTHONPATH"] = str(Path(sinew.__file__).resolve().parents[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sinew.make_character(vertices=vertices).save("in.glb")
        for method in ("heat", "atlas"):
            ways = {"the command": lambda: subprocess.run([program, "bind", "in.glb", "-o", "out.glb", "--method", method,
                                                           "--quiet"], check=True, stdout=subprocess.DEVNULL),
                    "in Python, load to save": lambda: bind_here(method),
                    "a Python script, with its start": lambda: subprocess.run(
                        [sys.executable, "-c", SCRIPT.format(method=method)], check=True)}
            times = {name: [] for name in ways}
            for _ in range(runs):
                for name, work in ways.items():
                    times[name].append(timed(work))
            if not Path("out.glb").read_bytes() == Path("here.glb").read_bytes() == Path("python.glb").read_bytes():
                sys.exit("command and Python do not give the same bytes")
            least = {name: [min(column) for column in zip(*measured)] for name, measured in times.items()}
            base = least["the command"]
            for name, (wall, used) in least.items():
                print(f"{method}, {vertices} vertices, {name}: {wall:.3f} s ({wall / base[0]:.3f} x), "
                      f"processor {used:.3f} s ({used / base[1]:.3f} x)")
            pairs = [(bind_two(method, False), bind_two(method, True)) for _ in range(runs)]
            apart, together = (min(column) for column in zip(*pairs))
            print(f"{method}, two threads at the same time: {together:.3f} s, one after the other {apart:.3f} s "
                  f"({together / apart:.3f} x)")


if __name__ == "__main__":
    main()
