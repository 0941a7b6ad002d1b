"""Builds raak._native with CMake, in the build folder of the repository, and puts it into the package with its library."""

import pathlib
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "release"


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        if not (BUILD / "build.ninja").exists():
            subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True)
        subprocess.run(["ninja", "-C", BUILD, "raak_python"], check=True)
        made = next((BUILD / "python" / "raak").glob("_native*.so"))
        target = pathlib.Path(self.get_ext_fullpath(extension.name)).parent
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(made, target)
        shutil.copy((BUILD / "libraak.so.0").resolve(), target / "libraak.so.0")


def version():
    for line in (ROOT / "CMakeLists.txt").read_text().splitlines():
        if line.startswith("project(raak VERSION "):
            return line.split()[2]
    raise SystemExit("CMakeLists.txt has no version of raak")


setup(version=version(), ext_modules=[Extension("raak._native", [])], cmdclass={"build_ext": CMakeBuild})
