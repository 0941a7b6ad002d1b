"""The installed library: an external CMake project, a Makefile with pkg-config and a C program are built and run against
a scratch prefix; a prefix that cannot be written is refused in words; headers are quick to compile."""

import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import unittest

RAAK = pathlib.Path(os.environ["RAAK"]).resolve()
BUILD = RAAK.parent
SOURCES = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = SOURCES / "examples"

CMAKE = """cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES CXX C)
find_package(raak 0.1 REQUIRED)
foreach(name 01_own_equations 02_mechanism_in_code 03_changed_parameter 04_step_by_step 05_two_threads)
  add_executable(${name} ${name}.cpp)
  target_link_libraries(${name} PRIVATE raak::raak)
endforeach()
add_executable(06_from_c 06_from_c.c)
target_link_libraries(06_from_c PRIVATE raak::raak)
get_target_property(options raak::raak INTERFACE_COMPILE_OPTIONS)
if(options)
  message(FATAL_ERROR "private flags leak: ${options}")
endif()
"""

MAKE = """CXXFLAGS = -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror $(shell pkg-config --cflags raak)
CFLAGS = -std=c89 -Wall -Wextra -pedantic -Werror $(shell pkg-config --cflags raak)
LDLIBS = $(shell pkg-config --libs raak)
all: 03_changed_parameter 06_from_c
"""


def run(*command, cwd=None, env=None):
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.prefix = cls.folder / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def project(self, name):
        folder = self.folder / name
        folder.mkdir()
        for file in [*EXAMPLES.glob("0*.c*"), EXAMPLES / "four-bar.toml"]:
            shutil.copy(file, folder)
        return folder

    def library(self):
        return next(self.prefix.glob("lib*/**/libraak.so")).parent

    def test_it_has_what_users_look_for(self):
        for name in ["bin/raak", "include/raak/raak.h", "include/raak/raak_c.h", "share/man/man1/raak.1.gz"]:
            self.assertTrue((self.prefix / name).exists(), name)
        self.assertEqual({file.name for file in (self.prefix / "include").iterdir()}, {"raak"})

    def test_a_cmake_project_finds_builds_and_runs_every_example(self):
        folder = self.project("by_cmake")
        (folder / "CMakeLists.txt").write_text(CMAKE)
        run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wshadow -Wconversion -Werror")
        run("cmake", "--build", folder / "build")
        for file in sorted(folder.glob("0*.c*")):
            run(folder / "build" / file.stem, cwd=folder)

    def test_a_makefile_finds_it_by_pkg_config(self):
        folder = self.project("by_make")
        (folder / "Makefile").write_text(MAKE)
        environment = {**os.environ, "PKG_CONFIG_PATH": str(self.library() / "pkgconfig"), "LD_LIBRARY_PATH": str(self.library())}
        run("make", cwd=folder, env=environment)
        self.assertIn("swings are off", run("./03_changed_parameter", cwd=folder, env=environment))
        self.assertIn("refused", run("./06_from_c", cwd=folder, env=environment))
        self.assertEqual(run("pkg-config", "--modversion", "raak", env=environment).strip(), run(RAAK, "--version").split()[1])

    def test_it_needs_none_of_our_libraries_and_shows_no_inside(self):
        library = self.library() / "libraak.so"
        needed = run("readelf", "-d", library)
        self.assertIn("libraak.so.0", needed)
        for name in ["fmt", "cairo", "hdf5", "tomlplusplus"]:
            self.assertNotIn(name, needed)
        shown = run("nm", "-D", "--defined-only", library).splitlines()
        names = [line.split()[-1].split("@")[0] for line in shown if line.split()[-2] != "A"]
        foreign = [name for name in names if "7raak_v0" not in name and not name.startswith("raak_")]
        self.assertEqual(foreign, [])

    def test_every_function_of_the_c_headers_is_there(self):
        declared = set()
        for header in (self.prefix / "include/raak").glob("raak_c*.h"):
            declared |= set(re.findall(r"RAAK_C_API [^;(]*?(raak_\w+)\(", header.read_text()))
        shown = {line.split()[-1].split("@")[0] for line in run("nm", "-D", "--defined-only", self.library() / "libraak.so").splitlines()}
        self.assertGreater(len(declared), 100)
        self.assertEqual(declared - shown, set())
        self.assertEqual({name for name in shown if name.startswith("raak_")} - declared, set())

    def test_no_folder_is_empty(self):
        empty = [str(folder) for folder in self.prefix.rglob("*") if folder.is_dir() and not any(folder.iterdir())]
        self.assertEqual(empty, [])

    def test_its_headers_compile_in_less_than_two_seconds(self):
        for header in sorted((self.prefix / "include/raak").glob("*.h")):
            source = self.folder / "one.cpp"
            source.write_text(f"#include <raak/{header.name}>\n")
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run("g++", "-std=c++20", "-O0", f"-I{self.prefix}/include", "-c", source, "-o", self.folder / "one.o")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2.0, header.name)
            text = header.read_text()
            for word in ["Eigen", "fmt/", "nlohmann", '"api/', '"base/']:
                self.assertNotIn(word, text)

    def test_it_is_installed_beside_and_over_an_older_one(self):
        prefix = self.folder / "again"
        old = prefix / "lib" / "libraak.so.0.0.9"
        old.parent.mkdir(parents=True)
        old.write_text("old")
        (prefix / "lib" / "libraak.so.0").symlink_to(old.name)
        for _ in range(2):
            run("cmake", "--install", BUILD, "--prefix", prefix)
        self.assertTrue(os.readlink(next(prefix.glob("lib*/libraak.so.0"))) != old.name or prefix.joinpath("lib64").exists())
        self.assertIn("raak", run(prefix / "bin/raak", "--version"))

    def test_a_prefix_that_cannot_be_written_is_refused_in_words(self):
        file = self.folder / "a_file"
        file.write_text("")
        for prefix in [file, "/proc/raak"]:
            done = subprocess.run(["cmake", "--install", str(BUILD), "--prefix", str(prefix)], capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("cannot be written", " ".join(done.stderr.split()))


if __name__ == "__main__":
    unittest.main()
