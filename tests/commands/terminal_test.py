"""Runs `raak` on a terminal of its own and looks at what a person would see: progress, colours, narrow windows, completion."""

import fcntl
import os
import pathlib
import pty
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import threading
import unittest

from program import PATIENCE, RAAK, ROOT

LONG = ("run", "pendulum", "--until", "40000", "--rtol", "1e-10", "--at", "40000")
ENDLESS = ("run", "pendulum", "--until", "1e7", "--rtol", "1e-10", "--at", "1e7")


END = b"\0 end of the text \0"  # no command writes this


def written_to_terminal(*arguments, columns=80, until=None, **environment):
    """Everything the command writes to a terminal of so many columns, and its exit code. It is interrupted, as by Ctrl-C,
    once it has written what is given as the pattern `until`.

    The terminal stays open until all is read: what lies in it unread may be lost when its last user closes it."""
    own, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    variables = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    process = subprocess.Popen([RAAK, *arguments], stdin=its, stdout=its, stderr=its, env={**variables, "TERM": "xterm", **environment})
    written = bytearray()

    def read():
        interrupt = until
        while not written.endswith(END):
            written.extend(os.read(own, 65536))
            if interrupt and re.search(interrupt, written):
                process.send_signal(signal.SIGINT)
                interrupt = None

    reader = threading.Thread(target=read)
    reader.start()
    try:
        code = process.wait(timeout=PATIENCE)
    finally:
        process.kill()  # does nothing to a process that has ended
        os.write(its, END)
        reader.join()
        os.close(its)
        os.close(own)
    return written[: -len(END)].decode().replace("\r\n", "\n"), code


def on_terminal(*arguments, **options):
    """What stays on the screen, and the exit code: a busy machine shows how far a run is, and erases it."""
    text, code = written_to_terminal(*arguments, **options)
    return re.sub(r"\r\x1b\[K([^\r\n\x1b]*(?=\r\x1b\[K))?", "", text), code


def without_colours(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


SHOWN = r"\r\x1b\[K([^\r\n\x1b]+)"  # a line of progress


class Progress(unittest.TestCase):
    def test_a_long_run_shows_how_far_it_is_and_cleans_up(self):
        text, code = written_to_terminal(*ENDLESS, columns=110, until=SHOWN.encode())
        self.assertEqual(code, 130)
        lines = re.findall(SHOWN, text)
        self.assertTrue(lines, text)
        for part in (r"^\[[#.]+\] ", r"\d+ %", r"t = [\d.e+]+ of 1e\+07 s", r"h = \S+ s", r"\S+ s/s", "left"):
            self.assertRegex(lines[0], part)
        self.assertTrue(all(len(line) < 110 for line in lines))
        self.assertIn("\r\x1b[K\x1b[1mpendulum", text, "the bar is erased before the summary")

    def test_it_fits_twenty_columns(self):
        text, code = written_to_terminal(*ENDLESS, columns=20, until=SHOWN.encode())
        self.assertEqual(code, 130)
        lines = re.findall(SHOWN, text)
        self.assertTrue(lines)
        self.assertTrue(all(len(line) < 20 for line in lines), lines)

    def test_a_long_bench_shows_its_rows_and_the_time_left(self):
        text, code = written_to_terminal("bench", "andrews", "--as-printed", "--methods", "gauss,svd", columns=110, until=SHOWN.encode())
        self.assertEqual(code, 130)
        lines = re.findall(SHOWN, text)
        self.assertTrue(lines, text)
        for part in (r"^\[[#.]+\] ", r"\d+ %", "left", r"\d+ of 98 rows", r"andrews gauss \d\.\de-\d+"):
            self.assertRegex(lines[0], part)

    def test_none_when_quiet_or_short_or_not_on_a_terminal(self):
        self.assertEqual(written_to_terminal(*LONG, "--quiet"), ("", 0))
        # A busy machine may take long for a short run, but not every time.
        self.assertTrue(any("\x1b[K" not in written_to_terminal("run", "pendulum")[0] for _ in range(50)))
        done = subprocess.run([RAAK, *LONG], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.stderr, "")
        self.assertNotIn("\x1b", done.stdout)


class Summary(unittest.TestCase):
    def test_it_fits_one_screen(self):
        for model in ("andrews", "slider-crank", "car-axis"):
            text, code = on_terminal("run", model)
            self.assertEqual(code, 0)
            self.assertLess(text.count("\n"), 24)

    def test_colours_only_where_they_are_wanted(self):
        self.assertIn("\x1b[1m", on_terminal("run", "pendulum")[0])
        self.assertNotIn("\x1b", on_terminal("run", "pendulum", NO_COLOR="1")[0])
        self.assertNotIn("\x1b", on_terminal("run", "pendulum", TERM="dumb")[0])
        self.assertNotIn("\x1b", on_terminal("run", "pendulum", "--json")[0])
        self.assertIn("\x1b[1;31mraak:", on_terminal("run", "pendulun")[0])
        self.assertNotIn("\x1b", on_terminal("run", "pendulun", NO_COLOR="1")[0])

    def test_it_fits_one_screen_whatever_there_is_to_tell(self):
        with tempfile.TemporaryDirectory() as folder:
            for model in sorted((ROOT / "examples").glob("*.toml")):
                text, code = on_terminal("run", str(model), "--until", "0.02", "--out", folder)
                self.assertEqual(code, 0, text)
                self.assertLess(text.count("\n"), 24, text)
                self.assertTrue(all(len(line) <= 80 for line in without_colours(text).splitlines()[:-1]), text)
            text, code = on_terminal("run", "car-axis", "--set", "h=1.2", "--out", folder)
            self.assertEqual(code, 3)
            self.assertIn("Try: ", text)
            self.assertLess(text.count("\n"), 24, text)

    def test_it_is_wrapped_at_twenty_columns(self):
        text, code = on_terminal("run", "andrews", columns=20)
        self.assertEqual(code, 0)
        self.assertIn("beta", text)
        long = [line for line in without_colours(text).splitlines() if len(line) > 20]
        self.assertEqual(long, [])
        numbers = re.findall(r"^ +-?\d[\d.]*$", without_colours(text), re.M)
        self.assertTrue(all("." in number for number in numbers), f"no number goes on in the next line: {numbers}")

    def test_labels_look_the_same_whether_their_lines_fit_or_not(self):
        for columns in (40, 80):
            text = on_terminal("run", "andrews", columns=columns)[0]
            for label in ("run", "method", "work", "outputs", "constraints", "energy", "digits"):
                self.assertIn(f"\n\x1b[2m  {label}\x1b[0m ", text, columns)


class NarrowWindow(unittest.TestCase):
    def looks_right(self, *arguments, code=0, says=(), columns=20):
        text, ended = on_terminal(*arguments, columns=columns)
        self.assertEqual(ended, code, text)
        text = without_colours(text)
        for line in text.splitlines():
            self.assertLessEqual(len(line), columns, (arguments, line))
        for words in says:
            self.assertIn(words, text)
        self.assertNotIn("\ufffd", text)

    def test_every_command_keeps_to_twenty_columns(self):
        self.looks_right("list", says=["andrews"])
        for topic in ("models", "methods", "joints", "forces", "formats", "templates"):
            self.looks_right("list", topic)
        self.looks_right("check", "pendulum", says=["scd 1", "pass"])
        self.looks_right("bench", "pendulum", "--methods", "gauss", "--rtol", "1e-6:1e-7:1", says=["scd "])
        self.looks_right("assemble", "andrews", says=["beta"])
        self.looks_right("explain", "pendulum", says=["finding"])
        for command in ("", "run", "report", "check", "bench", "assemble", "list", "new", "convert", "explain", "completion", "man"):
            self.looks_right(*filter(None, [command]), "--help", says=["Usage"])
        self.looks_right("run", "pendulun", code=2, says=["pendulum"])
        self.looks_right("run", "car-axis", "--set", "h=1.2", code=3, says=["Try:"])
        self.looks_right("report", "nowhere", code=2)

    def test_every_command_keeps_to_forty_and_eighty_columns(self):
        for columns in (40, 80):
            for topic in ("models", "methods", "joints", "forces", "formats", "templates"):
                self.looks_right("list", topic, columns=columns)
            self.looks_right("run", "andrews-iftomm", columns=columns, says=["energy"])
            self.looks_right("assemble", "andrews", columns=columns, says=["beta"])
            self.looks_right("explain", "car-axis", "--set", "h=1.2", columns=columns, says=["finding"])
            self.looks_right("run", "--help", columns=columns, says=["--rtol"])
            self.looks_right("bench", "--help", columns=columns)

    def test_a_table_leaves_out_columns_before_it_breaks_its_rows(self):
        text, code = on_terminal("check", "pendulum", columns=80)
        self.assertEqual(code, 0)
        self.assertTrue(all(len(line) <= 80 for line in text.splitlines()), text)
        self.assertRegex(text, r"pendulum +default .* pass\n")
        self.assertIn("not shown for want of room: drift/J", text)
        self.assertIn("drift/J", on_terminal("check", "pendulum", columns=140)[0].splitlines()[0])

    def test_help_keeps_its_columns_where_there_is_room(self):
        text, _ = on_terminal("run", "--help", columns=60)
        self.assertRegex(text, r"\n {30}\S")


class Completion(unittest.TestCase):
    def script(self, shell):
        return subprocess.run([RAAK, "completion", shell], capture_output=True, text=True, check=True).stdout

    def test_every_shell_accepts_its_script(self):
        for shell, check in (("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])):
            script = self.script(shell)
            self.assertIn("andrews-iftomm", script)
            if not shutil.which(shell):
                continue
            with tempfile.NamedTemporaryFile("w") as file:
                file.write(script)
                file.flush()
                done = subprocess.run([shell, *check, file.name], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
            self.assertEqual((done.returncode, done.stderr), (0, ""), shell)

    def test_bash_completes_commands_models_methods_and_options(self):
        def offered(*words):
            line = " ".join(f"'{word}'" for word in words)
            program = f"{self.script('bash')}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _raak; echo ${{COMPREPLY[@]}}"
            return subprocess.run(["bash", "-c", program], capture_output=True, text=True).stdout.split()

        self.assertEqual(offered("raak", "ru"), ["run"])
        self.assertEqual(offered("raak", "run", "andr"), ["andrews", "andrews-iftomm"])
        self.assertEqual(offered("raak", "run", "andrews", "--method", "svd"), ["svd", "svd-dop853"])
        self.assertEqual(offered("raak", "run", "andrews", "--rt"), ["--rtol"])
        self.assertEqual(offered("raak", "run", "pendulum", "--run", "de"), ["default"])
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "swing.toml"
            model.write_text("[runs.high]\nuntil = 1.0\n[runs.low]\nuntil = 1.0\n")
            self.assertEqual(offered("raak", "run", str(model), "--run", ""), ["high", "low"])
        self.assertEqual(offered("raak", "new", "rob"), ["robot-arm"])
        self.assertEqual(offered("raak", "new", "x", "--template", "ch"), ["chain"])

    def test_an_unknown_shell_is_refused(self):
        done = subprocess.run([RAAK, "completion", "bsh"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn('"bash"', done.stderr)


class Manual(unittest.TestCase):
    def test_it_tells_every_option_of_the_help(self):
        page = subprocess.run([RAAK, "man"], capture_output=True, text=True, check=True).stdout
        self.assertTrue(page.startswith(".TH RAAK 1"))
        plain = page.replace("\\-", "-")
        for command in ("run", "report", "check", "bench", "assemble", "list", "new", "convert", "explain", "completion"):
            help_text = subprocess.run([RAAK, command, "--help"], capture_output=True, text=True, check=True).stdout
            self.assertIn(f".SS raak {command}\n", plain)
            for option in set(re.findall(r"^  (--[a-z0-9]+)", help_text, re.MULTILINE)):
                self.assertIn(option, plain)

    def test_man_formats_it_without_complaint(self):
        if not shutil.which("groff"):
            self.skipTest("no groff here")
        page = subprocess.run([RAAK, "man"], capture_output=True, check=True).stdout
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, b""))


if __name__ == "__main__":
    unittest.main()
