#!/usr/bin/python3
"""Compares times of benchmarks with the committed ones of machines of the same type.

    bench_figures.py compare TABLE RUNS  print the times in RUNS/*.json next to those in TABLE
    bench_figures.py record TABLE RUNS   write them to TABLE, in place of older ones
    bench_figures.py --self-test

RUNS contains the files of --benchmark_out. TABLE has a line for each figure: type of the machine
(CPU model and instruction set), name, time [ns], separated by tabs. The time is the shortest of all
repetitions, CPU time if the benchmark reports it, as other programs can only lengthen it.
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
    """{(machine, figure): ns} of the files there. Files of filtered-out benchmarks are empty."""
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
    """Text of a time [ns] with three digits and a unit."""
    unit = next((u for u in ("s", "ms", "us") if NANOSECONDS[u] <= time), "ns")
    return f"{time / NANOSECONDS[unit]:.3g} {unit}"


def comparison(table, times):
    """Lines to print."""
    lines = []
    for machine in sorted({machine for machine, _ in times}):
        if not any(machine == known for known, _ in table):
            lines.append(f"No times of this type of machine are committed: {machine}.")
            lines.append("./dev bench --record adds those of this run to bench/figures.tsv.")
            continue
        lines.append(f"{machine}: time, committed time, ratio")
        for (measured_on, figure), time in times.items():
            if measured_on != machine:
                continue
            before = table.get((machine, figure))
            ratio = f"{readable(before):>10} {time / before:6.2f} times" if before else "new"
            lines.append(f"  {figure:<56} {readable(time):>10} {ratio:>10}")
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
        lines = comparison(read_table(table), later)
        assert lines[0].startswith(
            "M, avx2") and "1.50 times" in lines[1] and "new" in lines[2], lines
        assert comparison(read_table(table), {}) == ["No benchmark was run."]
    print("bench_figures: the self-test passes")


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
