"""What the commands of Scripts in Python do alike."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(sys.argv[0]).name
# The manifests read it: a build by these commands treats warnings as errors, and no other build does.
os.environ["SWITCHYARD_WARNINGS_AS_ERRORS"] = "1"


class Parser(argparse.ArgumentParser):
    """A parser that keeps the lines of its description, and exits with 64 after a misuse."""

    def __init__(self, description):
        super().__init__(prog=f"Scripts/{PROGRAM}", description=description, allow_abbrev=False,
                         formatter_class=argparse.RawDescriptionHelpFormatter)

    def error(self, message):
        self.exit(64, f"{PROGRAM}: {message}\n{self.format_usage()}")


def fail(message, status=1):
    print(f"{PROGRAM}: error: {message}", file=sys.stderr)
    sys.exit(status)


def files(*patterns):
    """Returns the names of the files that match patterns of git, sorted; not those that git ignores."""
    names = subprocess.check_output(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard",
                                     "--", *patterns], text=True).split("\0")
    return sorted({name for name in names if (ROOT / name).is_file()})


def build(product, *options):
    """Builds a product, and returns the path of its program. The output of the build goes to standard error."""
    if subprocess.run(["swift", "build", *options, "--product", product], cwd=ROOT, stdout=sys.stderr).returncode:
        fail(f"{product} did not build (above)")
    folder = subprocess.check_output(["swift", "build", *options, "--show-bin-path"], cwd=ROOT, text=True)
    return pathlib.Path(folder.strip()) / product


def build_mutex_order(folder):
    """Compiles the library that makes the thread sanitizer aware of Swift's mutexes, and returns its path."""
    clang = pathlib.Path(shutil.which("swift")).resolve().parent / "clang"
    library = pathlib.Path(folder) / "mutex-order.so"
    subprocess.run([clang if clang.exists() else "clang", "-O1", "-shared", "-fPIC", "-o", library,
                    ROOT / "Scripts/sanitizer/mutex-order.c"], check=True)
    return library
