#!/usr/bin/python3
"""Checks the links between the Markdown pages of the project: check_links.py ROOT

A link to a file must lead to one, and a link to a section of a page to one of its headings.
"""

import re
import subprocess
import sys
import unicodedata
from pathlib import Path

CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
ELSEWHERE = re.compile(r"[a-z]+:")


def anchor(heading):
    """The anchor that MkDocs gives a heading."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip())


def anchors(text):
    """Anchors of a page; those of equal headings end in _1, _2, …"""
    outside_of_code = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    names = [anchor(heading) for heading in re.findall(r"^#+ (.*)$", outside_of_code, re.M)]
    before = [names[:k].count(name) for k, name in enumerate(names)]
    return [f"{name}_{count}" if count else name for name, count in zip(names, before)]


def faults(root, page):
    """What is wrong with the links of a page."""
    for one, other in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        link = one or other
        path, _, section = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if ELSEWHERE.match(link):
            continue
        if not target.exists():
            yield f"{page.relative_to(root)}: there is no {link}"
        elif section and section not in anchors(target.read_text(encoding="utf-8")):
            yield f"{page.relative_to(root)}: {path or 'the page'} has no section #{section}"


def self_test():
    text = "# A `b` [c](d.md)\n```\n# no heading\n```\n## Über e²\n## Same\n## Same\n## Same\n"
    assert anchors(text) == ["a-b-c", "uber-e2", "same", "same_1", "same_2"], anchors(text)


def main():
    self_test()
    root = Path(sys.argv[1]).resolve()
    pages = subprocess.run(["git", "-c", f"safe.directory={root}", "ls-files", "*.md"], cwd=root,
                           capture_output=True, text=True, check=True).stdout.split()
    found = [fault for page in pages for fault in faults(root, root / page)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
