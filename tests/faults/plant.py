"""Plants faults at random in a copy of the sources: one build carries them all, RAAK_FAULT=N chooses one at run time.

plant(root, compile_commands, count, seed, jobs) rewrites the files below `root` and returns the list of faults. A file is drawn with a
weight of its lines, then a kind of fault, then a place. Faults that do not compile (in constant expressions, between types that have no
common one) are drawn again.
"""

import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from clang.cindex import CompilationDatabase, Diagnostic, Index, TranslationUnit

from sites import Finder

# Warnings about the planted text are of no use.
HEADER = """#pragma once
extern "C" bool raak_planted(int fault) noexcept;
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
"""
CREATE_PREAMBLE_ON_FIRST_PARSE = 0x100  # of CXTranslationUnit_Flags, which Python's clang does not name
HEAD = '#include "base/planted_faults.h"\n#line 1\n'

# Where the chosen fault is asked for. RAAK_FAULTS_REACHED names a file of one byte a fault, shared by all processes of a test.
SWITCH = r"""
#include "base/planted_faults.h"

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

extern "C" bool raak_planted(int fault) noexcept {
  static unsigned char* const reached = marks();
  static const int chosen = std::getenv("RAAK_FAULT") ? std::atoi(std::getenv("RAAK_FAULT")) : 0;
  if (reached != nullptr) reached[fault] = 1;
  return fault == chosen;
}
"""


class Fault:
    """A site of one file; its number is given once all are planted."""

    def __init__(self, path, site, number=0):
        self.path, self.site, self.number = path, site, number

    def row(self):
        return {"fault": self.number, "line": self.site.line, "operator": self.site.operator,
                "before": " ".join(self.site.before.split()), "after": " ".join(self.site.after.split())}


def arguments_of(database, path, root):
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
    return kept + ["-w", "-include", str(root / "src/base/planted_faults.h")]


def rewritten(text, faults):
    """The text with the faults planted, from the last to the first so that offsets hold."""
    for fault in sorted(faults, key=lambda fault: -fault.site.start):
        site = fault.site
        text = text[:site.start] + site.replacement.replace("{n}", str(fault.number)).encode() + text[site.end:]
    return text


def write_planted(path, text, faults):
    path.write_bytes(HEAD.encode() + rewritten(text, faults))


def apart(site, faults):
    return all(site.end <= other.site.start or other.site.end <= site.start for other in faults)


def wrong_lines(unit, path, text):
    unit.reparse(unsaved_files=[(str(path), text.decode())])
    return {d.location.line for d in unit.diagnostics if d.severity >= Diagnostic.Error}


def draw_sites(generator, pool, wanted, faults, path):
    """Adds faults to `faults` until there are `wanted`: first the kind is drawn, then the place, so that rare kinds are planted too."""
    while pool and len(faults) < wanted:
        kind = generator.choice(sorted({site.operator for site in pool}))
        site = generator.choice([site for site in pool if site.operator == kind])
        pool.remove(site)
        if apart(site, faults):
            faults.append(Fault(path, site))


def plant_in(root, commands, path, wanted, seed):
    """Up to `wanted` faults of one file that compile together."""
    database, index = CompilationDatabase.fromDirectory(str(commands)), Index.create()
    arguments = arguments_of(database, path, root)
    if arguments is None:
        return []
    generator = random.Random(f"{seed} {path.relative_to(root)}")
    text = path.read_bytes()
    unit = index.parse(str(path), args=arguments, options=TranslationUnit.PARSE_PRECOMPILED_PREAMBLE | CREATE_PREAMBLE_ON_FIRST_PARSE)
    pool = Finder(unit, text).sites
    faults = []
    for _ in range(8):
        draw_sites(generator, pool, wanted, faults, path)
        wrong = wrong_lines(unit, path, rewritten(text, faults))
        if not wrong:
            return faults
        blamed = [fault for fault in faults
                  if any(fault.site.line <= line <= fault.site.line + fault.site.before.count("\n") for line in wrong)] or list(faults)
        faults = [fault for fault in faults if fault not in blamed]
    return []


def plant(root, commands, count, seed, jobs):
    """Plants `count` faults below `root`/src and `root`/cli; `commands` is the folder of compile_commands.json for that tree."""
    generator = random.Random(seed)
    files = [path for folder in ("src", "cli") for path in sorted((root / folder).rglob("*.cpp")) if not path.name.endswith("_test.cpp")]
    weights = [path.read_bytes().count(b"\n") for path in files]
    (root / "src/base/planted_faults.h").write_text(HEADER)
    (root / "src/base/planted_faults.cpp").write_text(SWITCH)
    planted, tried = [], set()
    with ProcessPoolExecutor(jobs) as pool:
        while len(planted) < count and len(tried) < len(files):
            drawn = Counter(path for path in generator.choices(files, weights, k=count - len(planted)) if path not in tried)
            tried |= set(drawn)
            for found in pool.map(plant_in, *zip(*((root, commands, path, wanted, seed) for path, wanted in sorted(drawn.items())))):
                planted += found
    for number, fault in enumerate(planted, 1):
        fault.number = number
    for path in {fault.path for fault in planted}:
        faults = [fault for fault in planted if fault.path == path]
        write_planted(path, path.read_bytes(), faults)
    print(f"{len(planted)} faults planted in {len({fault.path for fault in planted})} files", flush=True)
    return planted
