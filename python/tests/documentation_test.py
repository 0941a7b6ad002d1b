"""The examples in the documentation of the module, and that everything public has some."""

import doctest
import importlib
import inspect
import pkgutil
import unittest

import raak

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
MODULES = [importlib.import_module(f"raak.{name}") for _, name, _ in pkgutil.iter_modules(raak.__path__)
           if name != "_native"]


class Documentation(unittest.TestCase):
    def test_examples_say_what_happens(self):
        ran = 0
        for module in [raak, *MODULES]:
            with self.subTest(module.__name__):
                result = doctest.testmod(module, optionflags=FLAGS)
                self.assertEqual(result.failed, 0)
                ran += result.attempted
        self.assertGreater(ran, 60)

    def test_everything_public_is_documented_with_an_example(self):
        for name in raak.__all__:
            with self.subTest(name):
                thing = getattr(raak, name)
                text = inspect.getdoc(thing)
                self.assertTrue(text)
                if not issubclass(type(thing), type) or not issubclass(thing, tuple):
                    self.assertIn(">>>", text)

    def test_every_method_has_an_example(self):
        lacking, seen = [], 0
        for name in raak.__all__:
            thing = getattr(raak, name)
            for method, function in inspect.getmembers(thing, inspect.isfunction) if isinstance(thing, type) else []:
                if method.startswith("_") or not function.__module__.startswith("raak."):
                    continue
                seen += 1
                if ">>>" not in (inspect.getdoc(function) or ""):
                    lacking.append(f"{name}.{method}")
        self.assertEqual(lacking, [])
        self.assertGreater(seen, 50)


if __name__ == "__main__":
    unittest.main()
