"""Type hints: the package passes mypy, and the stub of the compiled module says what is in it (mypy's stubtest)."""

import os
import subprocess
import sys
import tempfile
import unittest

import raak

try:
    import mypy  # noqa: F401
except ImportError:
    mypy = None

# What is installed is found by itself.
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(raak.__file__)))

USER = """
from typing import Optional

import numpy as np
import raak

model = raak.problem("andrews")
times = np.linspace(0.0, 0.03, 3)
number: np.float64 = times.max()
r = model.run(until=number, rtol=np.float32(1e-6), at=times, trust={"beta": number})
model.parameters["c0"] = number
model.parameters.update(c0=number)
r.at(number)["beta"], r.at(times)["beta"], r.at([0.01, number])["beta"]
next(iter(model.stepper(until=number))).at(number)
digits: Optional[float] = r.quality.scd
raak.Problem(coordinates=1, mass=[[1.0]], force=[0.0], start={"q1": number}, t=number)
"""


@unittest.skipIf(mypy is None, "without mypy")
class Types(unittest.TestCase):
    def run_mypy(self, *command):
        with tempfile.TemporaryDirectory() as cache:
            settings = os.path.join(cache, "mypy.ini")
            with open(settings, "w", encoding="utf-8") as file:  # these bring no hints
                file.write(f"[mypy]\nstrict = True\ncache_dir = {cache}\n[mypy-pandas.*,xarray.*,matplotlib.*]\nignore_missing_imports = True\n")
            done = subprocess.run([sys.executable, *(part.replace("SETTINGS", settings) for part in command)], capture_output=True,
                                  text=True, timeout=1800, cwd=cache,
                                  env=os.environ if os.path.basename(PACKAGE) == "site-packages" else {**os.environ, "MYPYPATH": PACKAGE})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_stub_says_what_the_module_has(self):
        # Classes of pybind11 have a metaclass of their own.
        classes = "|".join(name for name, thing in vars(raak._native).items() if isinstance(thing, type))
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as allowed:
            allowed.write(f"raak\\._native\\.({classes})\n")
            allowed.flush()
            self.run_mypy("-m", "mypy.stubtest", "raak._native", "--mypy-config-file", "SETTINGS", "--allowlist", allowed.name,
                          "--ignore-unused-allowlist")

    def test_programs_may_give_numbers_of_numpy(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as program:
            program.write(USER)
            program.flush()
            self.run_mypy("-m", "mypy", "--config-file", "SETTINGS", program.name)

    def test_the_package_is_typed_throughout(self):
        self.run_mypy("-m", "mypy", "--config-file", "SETTINGS", "-p", "raak")


if __name__ == "__main__":
    unittest.main()
