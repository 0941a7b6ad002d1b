"""What the linker and the compiler were asked to protect is protected in the program that they made."""

import pathlib
import shutil
import subprocess
import unittest

from program import RAAK


def readelf(*options, of=RAAK):
    return subprocess.run(["readelf", "-W", *options, of], capture_output=True, text=True, check=True).stdout


@unittest.skipUnless(shutil.which("readelf"), "needs readelf")
class Hardening(unittest.TestCase):
    def test_the_program_has_no_fixed_address(self):
        self.assertRegex(readelf("-h"), r"Type:\s+DYN")

    def test_relocations_are_read_only_before_it_starts(self):
        self.assertIn("GNU_RELRO", readelf("-l"))
        self.assertRegex(readelf("-d"), r"BIND_NOW|FLAGS.*NOW")

    def test_nothing_is_writable_and_executable(self):
        for line in readelf("-l").splitlines():
            self.assertNotRegex(line, r"(LOAD|GNU_STACK).*\bRWE\b")

    def test_functions_with_arrays_check_their_stack_and_copies_their_bounds(self):
        symbols = readelf("--dyn-syms")
        self.assertIn("__stack_chk_fail", symbols)
        self.assertRegex(symbols, r"__\w+_chk@")

    def test_indirect_calls_land_where_they_may(self):
        """Of our objects: the linker marks a program only if the start files of the system are marked too, which those of Debian 12 are not."""
        archives = sorted(pathlib.Path(RAAK).parent.rglob("libraak_*.a"))
        self.assertGreaterEqual(len(archives), 9)
        for archive in archives:
            for member in readelf("-n", of=archive).split("\nFile: ")[1:]:
                self.assertRegex(member, r"x86 feature:.*IBT.*SHSTK", member.splitlines()[0])


if __name__ == "__main__":
    unittest.main()
