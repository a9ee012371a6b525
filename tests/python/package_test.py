"""Stubs and docstrings of the package."""

import ast
import inspect
import re
import unittest

import scree
from program import SOURCE, main
from scree import _scree

STUBS = SOURCE / "python/scree"


def public(names):
    return {name for name in names if not name.startswith("_")}


def classes_of(tree):
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def members_of(node, classes):
    """Functions and properties of a class and of its bases in the stub."""
    members = {}
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in classes:
            members.update(members_of(classes[base.id], classes))
    for child in node.body:
        if isinstance(child, ast.FunctionDef):
            members[child.name] = child
        elif isinstance(child, ast.AnnAssign):
            members[child.target.id] = None
    return members


def arguments_of_stub(function):
    arguments = function.args
    return [
        argument.arg for argument in arguments.args + arguments.kwonlyargs if argument.arg != "self"
    ]


def arguments_of_docstring(text):
    """pybind11 begins a docstring with the signature."""
    signature = re.match(r"\w+\((.*?)\) -> ", text, re.S)
    return [
        argument for argument in re.findall(r"(?:^|, )(\w+):", signature.group(1))
        if argument not in ("self", "arg0")
    ]


class Stubs(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.tree = ast.parse((STUBS / "_scree.pyi").read_text(encoding="utf-8"))
        cls.classes = classes_of(cls.tree)

    def test_have_every_name_of_the_module_and_no_other(self):
        named = {
            node.name for node in self.tree.body
            if isinstance(node, (ast.ClassDef, ast.FunctionDef))
        }
        named |= {node.target.id for node in self.tree.body if isinstance(node, ast.AnnAssign)}
        self.assertEqual(public(named), public(dir(_scree)) - {"laws"})

    def test_have_every_member_of_every_class_and_no_other(self):
        for name in public(self.classes):
            bound = getattr(_scree, name)
            if issubclass(bound, Exception):
                continue
            members = members_of(self.classes[name], self.classes)
            self.assertEqual(public(members), public(dir(bound)), name)
            for special in ("__len__", "__getitem__"):
                self.assertEqual(special in members, hasattr(bound, special), f"{name} {special}")

    def test_have_the_arguments_of_every_function(self):
        for name in public(self.classes):
            for member, node in members_of(self.classes[name], self.classes).items():
                bound = inspect.getattr_static(getattr(_scree, name), member, None)
                if node is None or isinstance(bound, property) or member.startswith("__"):
                    continue
                text = getattr(getattr(_scree, name), member).__doc__
                self.assertEqual(arguments_of_stub(node), arguments_of_docstring(text),
                                 f"{name}.{member}")
        tree = ast.parse((STUBS / "laws.pyi").read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                text = getattr(scree.laws, node.name).__doc__
                self.assertEqual(arguments_of_stub(node), arguments_of_docstring(text), node.name)

    def test_every_name_that_is_promised_is_there(self):
        for name in scree.__all__:
            self.assertTrue(hasattr(scree, name), name)
        self.assertTrue((STUBS / "py.typed").exists())

    def test_exceptions_are_those_of_python_too(self):
        for name, base in (("InputError", ValueError), ("SceneError", scree.InputError),
                           ("OutputError", OSError), ("StaleError", RuntimeError),
                           ("BusyError", RuntimeError), ("StepError", RuntimeError)):
            self.assertTrue(issubclass(getattr(scree, name), base), name)


if __name__ == "__main__":
    main()
