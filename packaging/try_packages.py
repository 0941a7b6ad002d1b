"""Tries the packages of build/packages: the .debs in a clean root of Debian, and npx with the .tgz files offline."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "build" / "packages"


def run(*command, **how):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **how)
    if done.returncode != 0:
        raise SystemExit(f"packages: {' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def mirror():
    """(address, suite) of the distribution as apt is configured for it."""
    lines = run("apt-get", "indextargets", "--format", "$(SITE) $(RELEASE) $(CODENAME)", "Created-By: Packages").split("\n")
    own = dict(re.findall(r"^(\w+)=\"?([^\"\n]*)", pathlib.Path("/etc/os-release").read_text(), re.M))
    for line in lines:
        site, *names = line.split() or [""]
        if own.get("VERSION_CODENAME") in names:
            return site, own["VERSION_CODENAME"]
    raise SystemExit("packages: apt is configured for no archive of this distribution, which a clean root could be made of")


def try_debs():
    """In a root of the smallest kind, with what apt itself finds missing."""
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        return "not tried: a clean root needs root and debootstrap"
    site, suite = mirror()
    with tempfile.TemporaryDirectory() as scratch:
        clean = pathlib.Path(scratch) / "root"
        run("debootstrap", "--variant=minbase", suite, clean, site)
        for file in PACKAGES.glob("*.deb"):
            shutil.copy(file, clean / "tmp")
        inside = ["chroot", clean, "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "DEBIAN_FRONTEND=noninteractive", "sh", "-euc"]
        run(*inside, "apt-get update -q; apt-get install -qy --no-install-recommends /tmp/raak_*.deb")
        program = run(*inside, "raak --version; cd /tmp; raak run andrews -o results; test -s results/report.html; raak run /usr/share/doc/raak/examples/four-bar.toml --quiet")
        run(*inside, "test -s /usr/share/man/man1/raak.1.gz; test -s /usr/share/bash-completion/completions/raak")
        # A newer version is installed over this one, and an older one beside it is replaced.
        run(*inside, "apt-get install -qy --no-install-recommends /tmp/libraak0_*.deb /tmp/libraak-dev_*.deb gcc libc6-dev pkg-config")
        library = run(*inside, "cd /tmp; cp -r /usr/share/doc/libraak-dev/examples e; cd e; gcc -std=c99 06_from_c.c $(pkg-config --cflags --libs raak) -o c; ./c; apt-get install -qy --reinstall /tmp/libraak0_*.deb >/dev/null; ./c >/dev/null; apt-get remove -qy raak libraak0 >/dev/null; ! command -v raak")
        module = "no python3-raak"
        if list(PACKAGES.glob("python3-raak_*.deb")):
            run(*inside, "apt-get install -qy --no-install-recommends /tmp/libraak0_*.deb /tmp/python3-raak_*.deb")
            module = run(*inside, "cd /tmp; python3 -c 'import raak; r = raak.problem(\"andrews\").run(); assert r.quality.scd > 4; r.report(\"andrews.html\"); print(\"import raak\", raak.__version__)'; test -s andrews.html; for i in 01 02 03 04 05; do python3 /usr/share/doc/python3-raak/examples/${i}_*.py >/dev/null; done; apt-get remove -qy python3-raak >/dev/null; ! test -e /usr/lib/python3/dist-packages/raak")
        return f"installed in a clean root of {suite}: {program.splitlines()[0]}, {library.splitlines()[0]}, {module.splitlines()[0]}"


def try_npm():
    """From the tarballs alone, without a network."""
    if not shutil.which("npx"):
        return "not tried: there is no npx"
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "npm_config_cache": f"{scratch}/cache", "npm_config_offline": "true", "npm_config_yes": "true"}
        parts = [part for file in sorted(PACKAGES.glob("*.tgz")) for part in ("--package", f"file:{file}")]
        out = run("npx", *parts, "raak", "run", "andrews", cwd=scratch, env=environment)
        if "scd" not in out:
            raise SystemExit("packages: npx raak run andrews printed no summary:\n" + out)
        return f"npx: {out.splitlines()[0]}"


print("packages:", try_npm())
print("packages:", try_debs())
