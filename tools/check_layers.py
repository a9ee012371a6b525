#!/usr/bin/python3
"""Checks that every #include in include/scree and src goes from right to left in the order of the
modules, and that classes of different headers have different names.

    check_layers.py [ROOT]       check the tree at ROOT (default: this file's project)
    check_layers.py --self-test  check that it finds each kind of violation, and that a clean tree
                                 passes

Rules:
  1. A module includes itself and modules of layers to its left, never to its right.
  2. Modules of one layer (siblings) do not include each other; code that two of them share belongs
     in a layer to their left. Exceptions are entries of SIBLINGS_ALLOWED, with their reasons.
  3. A header under include/ includes no header under src/, as users do not have it.
  4. Every directory is a module in LAYERS, so that a new module gets its position in the order.
  5. include/scree/scree.hpp, if there is one, may include every public header; no file of the
     project includes it.
  6. In all headers, a namespace has at most one class of each name. The compiler accepts two in
     separate sources, and the linker would use the destructor of either for both.
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
    ["laws"],
    ["solvers"],
    ["sim"],
    ["io", "analysis", "distributed", "gpu"],
    ["scene"],
    ["run"],
    ["studies", "view"],
    ["apps", "python"],
]
RANK = {module: rank for rank, layer in enumerate(LAYERS) for module in layer}

# (including module, included module): reason.
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
    """(module, is_public) of an included file of the project; None for another header."""
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
    """Reason why an include is not allowed; None if it is."""
    if target == UMBRELLA:
        return f"{UMBRELLA} is for users; include the header that is needed"
    if in_public and not target_public:
        return "a public header includes a private one, which is not installed; make it public"
    if module == UMBRELLA or module == target:
        return None
    if target not in RANK:
        return f"'{target}' is not a module in LAYERS of tools/check_layers.py; add it"
    if RANK[target] > RANK[module]:
        return f"{module} is left of {target} and must not include it"
    if RANK[target] == RANK[module] and (module, target) not in SIBLINGS_ALLOWED:
        return f"{module} and {target} are siblings; move shared code to a layer on their left"
    return None


def classes_of(path):
    """(line, qualified name) of classes that a header defines in namespaces."""
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
    """Violations by classes of headers that have the name of another header's class."""
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
    """All violations of the tree at root, as FILE:LINE: INCLUDE: REASON; and the number of checked
    includes.
    """
    problems, checked = [], 0
    for base, path in source_files(root):
        module = path.relative_to(base).parts[0]
        shown = path.relative_to(root)
        if module not in RANK and not (module == UMBRELLA and base.name == "scree"):
            problems.append(
                f"{shown}:1: '{module}' is not a module in LAYERS of tools/check_layers.py; add it")
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            target = match and target_of(root, path, *match.groups())
            if not target:
                continue
            checked += 1
            reason = judge(module, base.name == "scree", *target)
            if reason:
                problems.append(f'{shown}:{number}: #include "{match.group(2)}": {reason}')
    return problems + check_names(root), checked


def self_test():
    """Checks small trees. Each case: files, and a piece of the expected message (None: clean)."""
    cases = [
        ({
            "src/sim/step.cpp": '#include "scree/core/ids.hpp"\n#include <vector>\n'
            '#include "sim/stages.hpp"\n', "src/sim/stages.hpp": "#pragma once\n"
        }, None),
        ({"include/scree/core/a.hpp": '#pragma once\n#include "scree/math/vec3.hpp"\n'},
         'include/scree/core/a.hpp:2: #include "scree/math/vec3.hpp": core is left of math'),
        ({"src/laws/a.cpp": "\n\n#  include <scree/solvers/b.hpp>\n"}, "src/laws/a.cpp:3:"),
        ({"src/laws/a.cpp": '#include "solvers/b.hpp"\n',
          "src/solvers/b.hpp": ""}, "laws is left of solvers"),
        ({"src/laws/a.cpp": '#include "../solvers/b.hpp"\n',
          "src/solvers/b.hpp": ""}, "laws is left of solvers"),
        ({"src/io/a.cpp": '#include "scree/analysis/b.hpp"\n'}, "siblings"),
        ({"src/io/a.cpp": '#include "scree/scene/scene.hpp"\n'}, "io is left of scene"),
        ({"src/run/a.cpp": '#include "scree/scene/scene.hpp"\n#include "scree/io/b.hpp"\n'}, None),
        ({"src/io/a.cpp": '#include "scree/run/run.hpp"\n'}, "io is left of run"),
        ({"include/scree/sim/a.hpp": '#include "sim/b.hpp"\n',
          "src/sim/b.hpp": ""}, "not installed"),
        ({"src/misc/a.cpp": ""}, "not a module"),
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
    problems, checked = check(root)
    for problem in problems:
        print(problem, file=sys.stderr)
    if checked == 0:
        print(f"check_layers: no includes found under {root}; check the path", file=sys.stderr)
    return 1 if problems or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
