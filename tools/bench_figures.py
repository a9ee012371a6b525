#!/usr/bin/python3
"""Times of benchmarks beside the committed ones of machines of the same type.

    bench_figures.py compare TABLE RUNS  print the times in RUNS/*.json beside those in TABLE
    bench_figures.py record TABLE RUNS   put them in TABLE, in the place of older ones
    bench_figures.py --self-test

RUNS holds the files that --benchmark_out writes. TABLE has a line a figure: type of the machine
(CPU model and instruction set), name, time [ns], separated by tabs. Of repetitions the shortest
counts, and of a benchmark the CPU time where it tells that: what else runs on a machine only adds
to both.
"""

import json
import pathlib
import sys
import tempfile

NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def read_table(path):
    """{(machine, figure): ns}"""
    lines = path.read_text().splitlines() if path.exists() else []
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {(machine, figure): float(time) for machine, figure, time in rows}


def write_table(path, table):
    rows = ["\t".join((*key, f"{time:.4g}")) for key, time in sorted(table.items())]
    path.write_text("\n".join(["# machine\tfigure\tshortest time [ns]", *rows]) + "\n")


def read_runs(directory):
    """{(machine, figure): ns} of the files there; one is empty where no benchmark was asked for."""
    times = {}
    for path in sorted(directory.glob("*.json")):
        if path.stat().st_size == 0:
            continue
        run = json.loads(path.read_text())
        for entry in run["benchmarks"]:
            if entry["run_type"] == "iteration":
                key = run["context"]["machine"], f"{path.stem}: {entry['name']}"
                time = entry.get("cpu_time", entry["real_time"])
                time *= NANOSECONDS[entry["time_unit"]]
                times[key] = min(time, times.get(key, time))
    return times


def readable(time):
    """Of nanoseconds, in three digits."""
    unit = next((u for u in ("s", "ms", "us") if NANOSECONDS[u] <= time), "ns")
    return f"{time / NANOSECONDS[unit]:.3g} {unit}"


def comparison(table, times):
    """The lines to print."""
    lines = []
    for machine in sorted({machine for machine, _ in times}):
        if not any(machine == known for known, _ in table):
            lines.append(f"No times of this type of machine are committed: {machine}.")
            lines.append("./dev bench --record adds those of this run to bench/figures.tsv.")
            continue
        lines.append(f"{machine}: times beside the committed ones")
        for (of, figure), time in times.items():
            if of != machine:
                continue
            before = table.get((machine, figure))
            beside = f"{readable(before):>10} {time / before:6.2f} times" if before else "new"
            lines.append(f"  {figure:<56} {readable(time):>10} {beside:>10}")
    return lines or ["No benchmark was run."]


def self_test():
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        table = directory / "figures.tsv"

        def run(machine, *entries):
            keys = ("name", "run_type", "real_time", "time_unit")
            benchmarks = [dict(zip(keys, entry)) for entry in entries]
            text = json.dumps({"context": {"machine": machine}, "benchmarks": benchmarks})
            (directory / "bench_a.json").write_text(text)
            return read_runs(directory)

        busy = {
            "name": "x", "run_type": "iteration", "real_time": 9, "cpu_time": 2, "time_unit": "ns"
        }
        run_of_busy = {"context": {"machine": "M, avx2"}, "benchmarks": [busy]}
        (directory / "bench_a.json").write_text(json.dumps(run_of_busy))
        assert read_runs(directory) == {("M, avx2", "bench_a: x"): 2}

        (directory / "bench_none.json").touch()
        first = run("M, avx2", ("x", "iteration", 3, "us"), ("x", "iteration", 2, "us"),
                    ("x", "aggregate", 1, "us"))
        assert first == {("M, avx2", "bench_a: x"): 2000}, first
        assert "No times of this type" in comparison(read_table(table), first)[0]

        write_table(table, read_table(table) | first)
        other = run("N, avx512", ("x", "iteration", 5, "ns"))
        assert "No times of this type" in comparison(read_table(table), other)[0]
        write_table(table, read_table(table) | other)
        assert read_table(table) == first | other

        later = run("M, avx2", ("x", "iteration", 3000, "ns"), ("y", "iteration", 7, "ns"))
        said = comparison(read_table(table), later)
        assert said[0].startswith("M, avx2") and "1.50 times" in said[1] and "new" in said[2], said
        assert comparison(read_table(table), {}) == ["No benchmark was run."]
    print("the times of another run, and of another machine, are told apart")


def main(arguments):
    if arguments == ["--self-test"]:
        self_test()
    elif len(arguments) == 3 and arguments[0] in ("compare", "record"):
        table, times = pathlib.Path(arguments[1]), read_runs(pathlib.Path(arguments[2]))
        print("\n" + "\n".join(comparison(read_table(table), times)))
        if arguments[0] == "record":
            write_table(table, read_table(table) | times)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
