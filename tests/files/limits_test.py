"""Files that are long, deep or no files, on machines with little stack and memory: an answer soon, or a refusal with its place."""

import os
import re
import resource
import subprocess
import unittest

from program import PATIENCE, RAAK, ROOT, ProgramTest

HEAD = 'format = "raak/1"\n'
BODY = """[ground.points]
O = [0.0, 0.0]
[bodies.bob]
mass = 1.0
inertia = 0.1
com = [0.5, 0.0]
points = { O = [0.0, 0.0] }
[joints]
pivot = { type = "revolute", pins = ["ground.O", "bob.O"] }
"""
SMALL_STACK = {resource.RLIMIT_STACK: 64 << 10}


class Limits(ProgramTest):
    def write(self, text, name="m.toml"):
        path = self.scratch / name
        path.write_text(text)
        return path

    def limited(self, limits, *arguments):
        def set_limits():
            for kind, value in limits.items():
                resource.setrlimit(kind, (value, value))

        return subprocess.run([RAAK, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE, input="",
                              preexec_fn=set_limits)

    def refused_at(self, done, place, words):
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, rf"\Araak: [^\n]*{re.escape(place)}: [^\n]*(?:{words})[^\n]*\n\Z")
        self.assertLess(len(done.stderr), 2000)

    def test_a_long_title_is_cut_where_it_is_printed(self):
        file = self.write(HEAD + f'title = "{"long " * 1200000}"\n' + BODY + "[runs.default]\nuntil = 0.1\n")
        for command in ("run", "assemble", "explain"):
            done = self.limited({}, command, file)
            self.assertEqual(done.returncode, 0, done.stderr[:1000])
            self.assertLess(len(done.stdout), 5000)
            self.assertIn("... (6000000 bytes)", done.stdout)

    def test_a_long_name_takes_little_memory(self):
        name = "a" * 60000
        for text in (BODY.replace("bob", name), BODY + f'[outputs]\nx = "{name}.x"\n', BODY.replace("mass", name), BODY + f'[start]\ntrust = {{ {name} = 1.0 }}\n',
                     BODY + f"[runs.{name}]\nuntil = 1.0\n", BODY + f"[references.{name}]\nvalues = {{ {name} = 1 }}\n", f"include = \"{name}\"\n" + BODY):
            done = self.limited({resource.RLIMIT_AS: 1 << 30}, "assemble", self.write(HEAD + text))
            self.assertEqual(done.returncode, 1, done.stderr[:500])
            self.assertLess(len(done.stderr), 2000)
        for arguments in (["run", name], ["run", "andrews", "--set", f"{name}=1"], ["run", "andrews", "--method", name], [name], ["help", name]):
            done = self.limited({resource.RLIMIT_AS: 1 << 30}, *arguments)
            self.assertEqual(done.returncode, 2, done.stderr[:500])

    def test_time_does_not_grow_with_the_square_of_the_parameters(self):
        count = 60000
        parameters = "[parameters]\n" + "".join(f"p{i} = {i}.0\n" for i in range(count))
        settings = "[runs.default]\nuntil = 0.1\n[runs.default.set]\n" + "".join(f"p{i} = 1.0\n" for i in range(count))
        done = self.limited({resource.RLIMIT_CPU: 60}, "assemble", self.write(HEAD + parameters + BODY + settings))
        self.assertEqual(done.returncode, 0, done.stderr[:500])

    def test_parameters_take_little_memory(self):
        """1 kB each at most: in the text, the tables that are read, the mechanism and what may be set."""
        count = 250_000
        for parameters in ("".join(f"p{i} = {i}.0\n" for i in range(count)), "".join(f'p{i} = "p{i + 1}"\n' for i in range(count)) + f"p{count} = 1.0\n"):
            done = self.limited({resource.RLIMIT_AS: (64 << 20) + 1024 * count}, "assemble", self.write(f"{HEAD}[parameters]\n{parameters}{BODY}"))
            self.assertEqual(done.returncode, 0, done.stderr[:500])

    def test_parameters_may_depend_on_each_other_in_a_long_chain(self):
        for chain in ("".join(f'p{i} = "p{i + 1} + 1"\n' for i in range(20000)) + "p20000 = 1.0\n",
                      "p0 = 1.0\n" + "".join(f'p{i} = "p{i - 1} + 1"\n' for i in range(1, 20000))):
            done = self.limited(SMALL_STACK, "assemble", self.write(HEAD + "[parameters]\n" + chain + BODY))
            self.assertEqual(done.returncode, 0, done.stderr[:500])

    def test_messages_name_some_of_many_and_count_the_rest(self):
        count = 5000
        circle = "".join(f'p{i} = "p{(i + 1) % count} + 1"\n' for i in range(count))
        done = self.limited({}, "run", self.write(f"{HEAD}[parameters]\n{circle}{BODY}"))
        self.refused_at(done, ":3:6", re.escape(f"in a circle: p0 -> p1 -> p2 -> p3 -> p4 -> p5 -> ({count - 11} more) -> p{count - 5} -> "))
        self.assertIn(f"p{count - 1} -> p0\n", done.stderr)
        # Each body is trusted to be where its hinge is not.
        for bodies in (25, 150):
            text = f"{HEAD}[ground.points]\nO = [0.0, 0.0]\n"
            text += "".join(f"[bodies.b{i}]\nmass = 1.0\ninertia = 0.1\npoints = {{ O = [0.0, 0.0] }}\n" for i in range(bodies)) + "[joints]\n"
            text += "".join(f'j{i} = {{ type = "revolute", pins = ["ground.O", "b{i}.O"] }}\n' for i in range(bodies)) + "[start.trust]\n"
            text += "".join(f'"b{i}.x" = 0.5\n"b{i}.angle" = 0.1\n' for i in range(bodies))
            done = self.limited({}, "assemble", self.write(text))
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertLess(len(done.stderr), 1500)

    def test_includes_in_includes_end_somewhere(self):
        for i in range(2000):
            self.write((HEAD if i == 0 else "") + f'include = "{i + 1}.toml"\n', f"{i}.toml")
        self.write(BODY, "2000.toml")
        done = self.limited(SMALL_STACK, "assemble", self.scratch / "0.toml")
        self.refused_at(done, "49.toml:1:11", "at most 50 files")
        self.assertEqual(self.limited(SMALL_STACK, "assemble", self.write(HEAD + 'include = "1960.toml"\n')).returncode, 0)

    def test_only_files_are_included(self):
        os.mkfifo(self.scratch / "pipe")
        for name in ("/dev/zero", "/dev/tty", "/proc/kmsg", "/proc/self/environ", "/sys/kernel/notes", "pipe", "/", "/dev/stdin"):
            if not os.path.exists(self.scratch / name):
                continue
            for text, place in ((f'include = "{name}"\n' + BODY, "m.toml:2:11"), (BODY + f'[references.a]\nfile = "{name}"\n', "m.toml:12:8")):
                with self.subTest(name):
                    done = self.limited({}, "run", self.write(HEAD + text))
                    self.refused_at(done, place, "expected a file|cannot be read")

    def test_a_pipe_in_a_folder_of_results_keeps_nobody_waiting(self):
        for name, commands in (("run.json", (["report"], ["run", "--resume"])), ("sweep.json", (["sweep", "--merge"],))):
            folder = self.scratch / name.replace(".", "_")
            folder.mkdir()
            os.mkfifo(folder / name)
            for command in commands:
                done = self.limited({}, *command, folder)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn(str(folder), done.stderr)
        for ending in ("csv", "npz"):
            os.mkfifo(self.scratch / f"table.{ending}")
            done = self.limited({}, "convert", self.scratch / f"table.{ending}", "--out", self.scratch / "x.json")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"table.{ending}", done.stderr)

    def test_what_is_no_file_is_written_into_and_stays_what_it_is(self):
        out, pipe, link, page = (self.scratch / name for name in ("out", "pipe", "link.html", "page.html"))
        self.assertEqual(self.limited({}, "run", "pendulum", "--quiet", "--out", out).returncode, 0)
        os.mkfifo(pipe)
        page.write_text("")
        link.symlink_to(page)
        copy = self.scratch / "copy.html"
        with copy.open("wb") as file, subprocess.Popen(["cat", pipe], stdout=file) as reader:  # a pipe holds less than a page
            done = self.limited({}, "report", out, "--out", pipe)
            reader.wait(timeout=PATIENCE)
        written = copy.read_bytes()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(pipe.is_fifo())
        self.assertEqual(written, (out / "report.html").read_bytes())
        self.assertEqual(self.limited({}, "report", out, "--out", link).returncode, 0)
        self.assertTrue(link.is_symlink())
        self.assertEqual(page.read_bytes(), written)
        os.mkfifo(self.scratch / "pipe.csv")
        done = self.limited({}, "convert", out, "--out", self.scratch / "pipe.csv")
        self.assertEqual(done.returncode, 2)
        self.assertIn("a file would take its place", done.stderr)
        self.assertTrue((self.scratch / "pipe.csv").is_fifo())

    def test_deep_values_need_no_large_stack(self):
        for limits in (SMALL_STACK, {}):
            done = self.limited(limits, "assemble", self.write(HEAD + "gravity = " + "[" * 250 + "]" * 250 + "\n" + BODY))
            self.refused_at(done, "m.toml:2:11", "an array of 2 numbers")
            done = self.limited(limits, "assemble", self.write(HEAD + "gravity = " + "[" * 5000 + "\n" + BODY))
            self.refused_at(done, "m.toml:2:267", "at most 256")
            done = self.limited(limits, "assemble", self.write(HEAD + BODY + '[parameters]\na = "' + "(" * 99 + "1" + ")" * 99 + '"\n'))
            self.assertEqual(done.returncode, 0, done.stderr)
            for deep in ("(" * 5000, "-" * 5000, "sin(" * 5000, "2^" * 5000, "min(1," * 5000):
                done = self.limited(limits, "assemble", self.write(HEAD + BODY + f'[parameters]\na = "{deep}1"\n'))
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertRegex(done.stderr, r"m\.toml:12:\d+: the expression is nested too deeply")
            done = self.limited(limits, "assemble", self.write(HEAD + BODY + '[parameters]\na = "1' + "+1" * 100000 + '"\n'))
            self.assertEqual(done.returncode, 0, done.stderr)
            done = self.limited(limits, "convert", self.write("[" * 5000, "m.json"), "--out", "-")
            self.assertEqual(done.returncode, 1, done.stderr)

    def test_models_run_on_a_small_stack(self):
        for model in ("andrews", "slider-crank", ROOT / "examples/andrews.toml", ROOT / "examples/bricard.toml"):
            done = self.limited(SMALL_STACK, "run", model, "--until", "0.01")
            self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
