#!/usr/bin/python3
"""Checks that methods, integrators and laws cite their sources, and that citations are sound.

    check_citations.py [ROOT]       check the tree at ROOT (default: this file's project)
    check_citations.py --self-test  check that it finds each kind of violation, and that a clean
                                    tree passes

A citation is the key of an entry of docs/references.bib in brackets, as in [Preclik18, Eq. 5].

Rules:
  1. Every file of SOURCES and every law cites a source, or has a comment "Our own" that names its
     own part. A source file may leave this to the header of the same name.
  2. A law is a header with static_assert(ContactLaw<…>), or a name in OTHER_LAWS.
  3. Every key cited in code or documentation has an entry.
  4. Every entry is cited.
"""

import pathlib
import re
import sys
import tempfile

SOURCES = ("solvers/methods/*.*pp", "sim/**/integrators.*pp")
OTHER_LAWS = ("restitution", "tresca")  # of the module laws
BIBLIOGRAPHY = "docs/references.bib"
SUFFIXES = {".hpp", ".cpp", ".inl", ".py", ".md"}
FOLDERS = ("include", "src", "apps", "share", "studies", "docs", "tests", "bench")
SINGLE_FILES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")

ENTRY = re.compile(r"^@\w+\{([^,\s]+),", re.MULTILINE)
# Usual form of a key: name and year. Other keys are known from the bibliography.
LIKE_A_KEY = re.compile(r"\[((?:[A-Z][a-z]*)+\d\d[a-z]?)(?:, [^\]]*)?\]")
OUR_OWN = re.compile(r"//.*\bOur own\b")
LAW = re.compile(r"static_assert\(ContactLaw<")


def keys_cited(text, known):
    """Keys in brackets: those of the usual form, and known ones."""
    flat = re.sub(r"\s*\n\s*(?:///?|#|\*)?\s*", " ", text)  # a citation may span two lines
    found = [match.group(1) for match in LIKE_A_KEY.finditer(flat)]
    return found + [key for key in known if re.search(rf"\[{re.escape(key)}(?:, [^\]]*)?\]", flat)]


def files_of(root):
    """All files whose citations count."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in SUFFIXES:
                yield path
    yield from (root / name for name in SINGLE_FILES if (root / name).is_file())


def files_with_sources(root):
    """Files of rule 1."""
    for pattern in SOURCES:
        for base in (root / "include/scree", root / "src"):
            yield from sorted(base.glob(pattern))
    for base in (root / "include/scree/laws", root / "src/laws"):
        for path in sorted(base.glob("*.hpp")):
            if path.stem in OTHER_LAWS or LAW.search(path.read_text(encoding="utf-8")):
                yield path


def says_its_source(path, root, known):
    headers = [] if path.suffix == ".hpp" else [
        path.with_suffix(".hpp"), *(root / "include/scree").rglob(f"{path.stem}.hpp")
    ]
    for file in [path, *headers]:
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        if OUR_OWN.search(text) or any(key in known for key in keys_cited(text, known)):
            return True
    return False


def check(root):
    """All violations of the tree at root, as FILE: REASON; and the number of files of rule 1."""
    bibliography = root / BIBLIOGRAPHY
    known = ENTRY.findall(bibliography.read_text(
        encoding="utf-8")) if bibliography.is_file() else []
    problems, checked = [], 0
    for path in files_with_sources(root):
        checked += 1
        if not says_its_source(path, root, known):
            problems.append(f"{path.relative_to(root)}: cites no entry of {BIBLIOGRAPHY}; cite "
                            'one, or name in a comment the part that is "Our own"')
    cited = set()
    for path in files_of(root):
        keys = set(keys_cited(path.read_text(encoding="utf-8"), known))
        cited |= keys
        problems += [
            f"{path.relative_to(root)}: [{key}] is no entry of {BIBLIOGRAPHY}"
            for key in sorted(keys - set(known))
        ]
    problems += [
        f"{BIBLIOGRAPHY}: {key} is there twice"
        for key in sorted({key for key in known if known.count(key) > 1})
    ]
    problems += [f"{BIBLIOGRAPHY}: {key} is cited nowhere" for key in sorted(set(known) - cited)]
    return problems, checked


def self_test():
    """Checks small trees. Each case: files, and a piece of the expected message (None: clean)."""
    bib = {
        BIBLIOGRAPHY: "@article{Jean99,\n}\n@misc{FCLIB,\n}\n", "docs/a.md": "[FCLIB], [Jean99, §3]"
    }
    method, law = "src/solvers/methods/a", "include/scree/laws/a.hpp"
    cases = [
        ({f"{method}.hpp": "/// Sweeps [Jean99].\n", f"{method}.cpp": "int a;\n"}, None),
        ({f"{method}.hpp": "/// Sweeps\n/// [Jean99,\n/// Eq. 3].\n"}, None),
        ({f"{method}.hpp": "/// Our own: chunks.\n"}, None),
        ({f"{method}.hpp": "int our_own;\n"}, "a.hpp: cites no entry"),
        ({f"{method}.cpp": 'const char* a = "Our own";\n'}, "a.cpp: cites no entry"),
        ({f"{method}.cpp": "", "include/scree/solvers/a.hpp": "// [Jean99]"}, None),
        ({f"{method}.hpp": "/// Sweeps [Jean98].\n"}, "a.hpp: cites no entry"),
        ({"src/sim/motion/integrators.cpp": ""}, "integrators.cpp: cites no entry"),
        ({law: "struct A {};\n"}, None),
        ({law: "static_assert(ContactLaw<A>);\n"}, "a.hpp: cites no entry"),
        ({"src/laws/tresca.hpp": ""}, "tresca.hpp: cites no entry"),
        ({"docs/b.md": "as in [Painleve95, p. 3]"}, "b.md: [Painleve95] is no entry"),
        ({"docs/b.md": "r in [N s], at[Index3]; a [link](page.md)"}, None),
        ({"docs/a.md": "[FCLIB]"}, "Jean99 is cited nowhere"),
        ({BIBLIOGRAPHY: bib[BIBLIOGRAPHY] + "@misc{FCLIB,\n}\n"}, "FCLIB is there twice"),
    ]
    failures = 0
    for number, (files, expected) in enumerate(cases, 1):
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            for name, text in {**bib, **files}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            problems, _ = check(root)
        good = not problems if expected is None else any(expected in p for p in problems)
        if not good:
            failures += 1
            print(f"case {number}: expected {expected!r}, found {problems}", file=sys.stderr)
    print(f"check_citations: {len(cases) - failures} of {len(cases)} cases of the self-test pass")
    return failures


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent)
    problems, checked = check(root.resolve())
    for problem in problems:
        print(problem, file=sys.stderr)
    if checked == 0:
        print(f"check_citations: no file of rule 1 under {root}; check the path", file=sys.stderr)
    return 1 if problems or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
