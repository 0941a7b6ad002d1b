"""Plants faults at random in a copy of the sources: one build carries them all, RAAK_FAULT=N chooses one at run time.

plant(root, compile_commands, count, seed) rewrites the files below `root` and returns the list of faults. A file is drawn with a
weight of its lines, then a kind of fault, then a place. Faults that do not compile (in constant expressions, between types that have no
common one) are drawn again.
"""

import random
from collections import defaultdict
from pathlib import Path

from clang.cindex import CompilationDatabase, Diagnostic, Index

from sites import Finder

# Warnings about the planted text are of no use.
HEAD = """extern "C" bool raak_planted(int fault) noexcept;
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#line 1
"""

# Where the chosen fault is asked for. RAAK_FAULTS_REACHED names a file of one byte a fault, shared by all processes of a test.
SWITCH = r"""
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

namespace {
constexpr int most = 4096;

unsigned char* marks() {
  const char* path = std::getenv("RAAK_FAULTS_REACHED");
  if (path == nullptr) return nullptr;
  const int file = ::open(path, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ::ftruncate(file, most) != 0) return nullptr;
  void* const memory = ::mmap(nullptr, most, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  return memory == MAP_FAILED ? nullptr : static_cast<unsigned char*>(memory);
}
}  // namespace

extern "C" bool raak_planted(int fault) noexcept;
extern "C" bool raak_planted(int fault) noexcept {
  static unsigned char* const reached = marks();
  static const int chosen = std::getenv("RAAK_FAULT") ? std::atoi(std::getenv("RAAK_FAULT")) : 0;
  if (reached != nullptr) reached[fault] = 1;
  return fault == chosen;
}
"""


class Fault:
    def __init__(self, number, path, site):
        self.number, self.path, self.site = number, path, site

    def row(self):
        return {"fault": self.number, "file": str(self.path), "line": self.site.line, "operator": self.site.operator,
                "before": " ".join(self.site.before.split()), "after": " ".join(self.site.after.split())}


def arguments_of(database, path):
    commands = database.getCompileCommands(str(path))
    if not commands:
        return None
    words, kept, skip = list(commands[0].arguments)[1:], [], False
    for word in words:
        if skip or word in ("-c", "--") or word.endswith(".cpp"):
            skip = False
        elif word == "-o":
            skip = True
        else:
            kept.append(word)
    return kept + ["-w"]


def rewritten(text, faults):
    """The text with the faults planted, from the last to the first so that offsets hold."""
    for fault in sorted(faults, key=lambda fault: -fault.site.start):
        site = fault.site
        text = text[:site.start] + site.replacement.replace("{n}", str(fault.number)).encode() + text[site.end:]
    return HEAD.encode() + text


def apart(site, faults):
    return all(site.end <= other.site.start or other.site.end <= site.start for other in faults)


def wrong_lines(index, path, arguments, text):
    unit = index.parse(str(path), args=arguments, unsaved_files=[(str(path), text.decode())])
    return {d.location.line - HEAD.count("\n") for d in unit.diagnostics if d.severity >= Diagnostic.Error}


def draw_sites(generator, sites, wanted, faults, path, numbers):
    """Adds `wanted` faults to `faults`: first the kind is drawn, then the place, so that rare kinds are planted too."""
    pool = list(sites)
    while pool and len(faults) < wanted:
        kind = generator.choice(sorted({site.operator for site in pool}))
        site = generator.choice([site for site in pool if site.operator == kind])
        pool.remove(site)
        if apart(site, faults):
            faults.append(Fault(numbers.pop(0), path, site))
    return pool


def plant_in(index, database, path, wanted, generator, numbers):
    """Plants up to `wanted` faults in one file and writes it; returns them."""
    arguments = arguments_of(database, path)
    if arguments is None:
        return []
    text = path.read_bytes()
    pool = Finder(index.parse(str(path), args=arguments), text).sites
    faults = []
    for _ in range(6):
        pool = draw_sites(generator, pool, wanted, faults, path, numbers)
        if not faults:
            return []
        wrong = wrong_lines(index, path, arguments, rewritten(text, faults))
        if not wrong:
            path.write_bytes(rewritten(text, faults))
            return faults
        dropped = [fault for fault in faults
                   if any(fault.site.line <= line <= fault.site.line + fault.site.before.count("\n") for line in wrong)] or list(faults)
        for fault in dropped:
            faults.remove(fault)
            numbers.append(fault.number)
    return []


def plant(root, commands, count, seed):
    """Plants `count` faults below `root`/src and `root`/cli; `commands` is the folder of compile_commands.json for that tree."""
    generator = random.Random(seed)
    files = [path for folder in ("src", "cli") for path in sorted((root / folder).rglob("*.cpp")) if not path.name.endswith("_test.cpp")]
    weights = [path.read_bytes().count(b"\n") for path in files]
    database, index = CompilationDatabase.fromDirectory(str(commands)), Index.create()
    planted, numbers, tried = [], list(range(1, 4096)), set()
    while len(planted) < count and len(tried) < len(files):
        wanted = defaultdict(int)
        for path in generator.choices(files, weights, k=count - len(planted)):
            if path not in tried:
                wanted[path] += 1
        for path in sorted(wanted):
            tried.add(path)
            planted += plant_in(index, database, path, wanted[path], generator, numbers)
    print(f"{len(planted)} faults planted in {len({fault.path for fault in planted})} files", flush=True)
    (root / "src/base/planted_faults.cpp").write_text(SWITCH)
    return planted

