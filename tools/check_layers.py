#!/usr/bin/python3
"""Checks that every #include in include/scree and src goes from right to left in the order of the
modules, and that no two headers give one name to two classes.

    check_layers.py [ROOT]      check the tree at ROOT (default: this file's project)
    check_layers.py --self-test show that each kind of violation is found, and that a clean tree
    passes

Rules:
  1. A module includes itself and modules of layers to its left, never to its right.
  2. Modules of one layer (siblings) do not include each other; what two of them share belongs in a
     layer to their left. An exception is an entry of SIBLINGS_ALLOWED, with its reason.
  3. A header under include/ includes nothing that lies under src/: users do not have it.
  4. A directory that is no module of LAYERS is refused, so that a new module gets a place in the
     order.
  5. include/scree/scree.hpp, if there is one, may include every public header; no file of ours
     includes it.
  6. A namespace has one class of a name in all headers: of two, no file that sees one alone would
     be refused, and the linker would take the destructor of either for both.
"""

import pathlib
import re
import sys
import tempfile

LAYERS = [
    ["core"],
    ["math"],
    ["geometry"],
    ["collision"],
    ["contact"],
    ["laws"],
    ["solvers"],
    ["integrators"],
    ["sim"],
    ["io", "analysis", "distributed", "gpu"],
    ["scene"],
    ["run"],
    ["studies"],
    ["apps", "python", "viewer"],
]
RANK = {module: rank for rank, layer in enumerate(LAYERS) for module in layer}

# (who includes, whom): why.
SIBLINGS_ALLOWED = {}

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
NAMESPACE = re.compile(r"^(?:inline )?namespace ([\w:]*)\s*\{")
CLASS = re.compile(
    r"^(?:struct|class|enum class|union) (?:alignas\([^)]*\) )?(\w+)\b(?!::|<)[^;]*(?:\{|$)")
SUFFIXES = {".hpp", ".cpp", ".h", ".inl", ".cu", ".cuh"}
UMBRELLA = "scree.hpp"


def source_files(root):
    for base in (root / "include" / "scree", root / "src"):
        for path in sorted(base.rglob("*")):
            if path.is_file() and path.suffix in SUFFIXES:
                yield base, path


def target_of(root, path, quote, name):
    """(module, is_public) of an included file of ours; None for a header of somebody else."""
    if quote == '"' and (path.parent / name).is_file():
        real = (path.parent / name).resolve()
        for base, public in ((root / "include" / "scree", True), (root / "src", False)):
            if real.is_relative_to(base.resolve()):
                parts = real.relative_to(base.resolve()).parts
                return parts[0], public
        return None
    parts = pathlib.PurePosixPath(name).parts
    if parts[0] == "scree":
        return (parts[1], True) if len(parts) > 1 else None
    if len(parts) > 1 and (root / "src" / parts[0]).is_dir():
        return parts[0], False
    return None


def judge(module, in_public, target, target_public):
    """Why this include is not allowed; None if it is."""
    if target == UMBRELLA:
        return f"{UMBRELLA} is for users; include the header that is needed"
    if in_public and not target_public:
        return "a public header includes a private one, which is not installed"
    if module == UMBRELLA or module == target:
        return None
    if target not in RANK:
        return f"'{target}' is no module of the order in tools/check_layers.py"
    if RANK[target] > RANK[module]:
        return f"{module} stands left of {target} and must not know it"
    if RANK[target] == RANK[module] and (module, target) not in SIBLINGS_ALLOWED:
        return f"{module} and {target} are siblings; put what they share in a layer to their left"
    return None


def classes_of(path):
    """(line, name with its namespaces) of classes that a header defines in namespaces."""
    namespaces, found = [], []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if opened := NAMESPACE.match(line):
            namespaces.append(opened.group(1))
        elif re.match(r"^\}\s*// namespace", line) and namespaces:
            namespaces.pop()
        elif named := CLASS.match(line):
            found.append((number, "::".join(namespaces + [named.group(1)])))
    return found


def check_names(root):
    """Classes of headers whose name another header has given away, as check() tells."""
    first, problems = {}, []
    for _, path in source_files(root):
        if path.suffix not in {".hpp", ".h", ".cuh"}:
            continue
        for number, name in classes_of(path):
            shown = path.relative_to(root)
            if name in first:
                problems.append(f"{shown}:{number}: {name} is a class of {first[name]}, too")
            first.setdefault(name, f"{shown}:{number}")
    return problems


def check(root):
    """All violations of the tree at root, as FILE:LINE: INCLUDE: WHY; and how many includes were
    looked at.
    """
    problems, looked_at = [], 0
    for base, path in source_files(root):
        module = path.relative_to(base).parts[0]
        shown = path.relative_to(root)
        if module not in RANK and not (module == UMBRELLA and base.name == "scree"):
            problems.append(
                f"{shown}:1: '{module}' is no module of the order in tools/check_layers.py")
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            target = match and target_of(root, path, *match.groups())
            if not target:
                continue
            looked_at += 1
            why = judge(module, base.name == "scree", *target)
            if why:
                problems.append(f'{shown}:{number}: #include "{match.group(2)}": {why}')
    return problems + check_names(root), looked_at


def self_test():
    """Each case: files of a small tree, and a piece of the complaint expected (None: the tree is
    clean).
    """
    cases = [
        ({
            "src/sim/step.cpp": '#include "scree/core/ids.hpp"\n#include <vector>\n'
            '#include "sim/stages.hpp"\n', "src/sim/stages.hpp": "#pragma once\n"
        }, None),
        ({"include/scree/core/a.hpp": '#pragma once\n#include "scree/math/vec3.hpp"\n'},
         'include/scree/core/a.hpp:2: #include "scree/math/vec3.hpp": core stands left of math'),
        ({"src/laws/a.cpp": "\n\n#  include <scree/solvers/b.hpp>\n"}, "src/laws/a.cpp:3:"),
        ({"src/laws/a.cpp": '#include "solvers/b.hpp"\n',
          "src/solvers/b.hpp": ""}, "laws stands left of solvers"),
        ({"src/laws/a.cpp": '#include "../solvers/b.hpp"\n',
          "src/solvers/b.hpp": ""}, "laws stands left of solvers"),
        ({"src/io/a.cpp": '#include "scree/analysis/b.hpp"\n'}, "siblings"),
        ({"src/io/a.cpp": '#include "scree/scene/scene.hpp"\n'}, "io stands left of scene"),
        ({"src/run/a.cpp": '#include "scree/scene/scene.hpp"\n#include "scree/io/b.hpp"\n'}, None),
        ({"src/io/a.cpp": '#include "scree/run/run.hpp"\n'}, "io stands left of run"),
        ({"include/scree/sim/a.hpp": '#include "sim/b.hpp"\n',
          "src/sim/b.hpp": ""}, "not installed"),
        ({"src/misc/a.cpp": ""}, "no module"),
        ({"src/sim/a.cpp": '#include "scree/scree.hpp"\n'}, "is for users"),
        ({"include/scree/scree.hpp": '#include "scree/sim/a.hpp"\n',
          "include/scree/sim/a.hpp": ""}, None),
        ({
            "src/sim/a.hpp": "namespace scree {\nstruct A {\n};\n}  // namespace scree\n",
            "src/run/b.hpp": "namespace scree {\nclass A final : public B {\n"
        }, "scree::A is a class"),
        ({
            "src/sim/a.hpp": "namespace scree {\nstruct A;\nstruct A {\n};\n",
            "src/run/b.hpp": "namespace scree::run {\nstruct A {};\n"
        }, None),
    ]
    failures = 0
    for number, (files, expected) in enumerate(cases, 1):
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            problems, _ = check(root)
        good = not problems if expected is None else len(problems) == 1 and expected in problems[0]
        if not good:
            failures += 1
            print(f"case {number}: expected {expected!r}, found {problems}", file=sys.stderr)
    print(f"check_layers: {len(cases) - failures} of {len(cases)} cases of the self-test pass")
    return failures


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    root = pathlib.Path(
        arguments[0] if arguments else pathlib.Path(__file__).parent.parent).resolve()
    problems, looked_at = check(root)
    for problem in problems:
        print(problem, file=sys.stderr)
    if looked_at == 0:
        print(f"check_layers: no includes found under {root}", file=sys.stderr)
    return 1 if problems or looked_at == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
