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


if __name__ == "__main__":
    unittest.main()
