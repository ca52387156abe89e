"""What the commands of Scripts do alike."""

import argparse
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(sys.argv[0]).name
CI = os.environ.get("CI") == "true"
# Where the package and its samples are compiled. An undeclared import builds by luck of the order; the flag turns it
# into an error. Nothing that is built there is debugged. Commands with the same flags share what is compiled.
PLACE = ".build-scripts"
FLAGS = ["--explicit-target-dependency-import-check", "error", "-debug-info-format", "none"]
# Each module is compiled whole, so that its types are checked once: for what is not edited between two builds.
WHOLE_MODULES = [word for flag in ("-whole-module-optimization", "-num-threads", "1") for word in ("-Xswiftc", flag)]
# The manifests read it: a build by these commands treats warnings as errors, and no other build does.
os.environ["SWITCHYARD_WARNINGS_AS_ERRORS"] = "1"


class Parser(argparse.ArgumentParser):
    """A parser that keeps the lines of its description, and exits with 64 after a misuse."""

    def __init__(self, description):
        super().__init__(prog=f"Scripts/{PROGRAM}", description=description, allow_abbrev=False,
                         formatter_class=argparse.RawDescriptionHelpFormatter)

    def flags(self, is_exclusive=False, **helps):
        """Adds options without a value, each with what it does."""
        group = self.add_mutually_exclusive_group() if is_exclusive else self
        for name, text in helps.items():
            group.add_argument(f"--{name.replace('_', '-')}", action="store_true", help=text)
        return group

    def error(self, message):
        self.exit(64, f"{PROGRAM}: {message}\n{self.format_usage()}")


def say(message):
    print(f"{PROGRAM}: {message}", file=sys.stderr, flush=True)


def fail(message, status=1):
    say(f"error: {message}")
    sys.exit(status)


def files(*patterns):
    """Returns the names of the files that match patterns of git, sorted; not those that git ignores."""
    names = subprocess.check_output(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard",
                                     "--", *patterns], text=True).split("\0")
    return sorted({name for name in names if (ROOT / name).is_file()})


def output(*words, **options):
    """Runs a command in the checkout, and returns what it prints. Shows it, and exits, if the command fails."""
    run = subprocess.run(words, text=True, errors="replace", capture_output=True, **{"cwd": ROOT, **options})
    if run.returncode:
        print(run.stdout, run.stderr, sep="", end="", file=sys.stderr)
        fail(f"{' '.join(map(str, words[:3]))} failed with exit {run.returncode} (above)")
    return run.stdout


def install(*groups):
    """Installs what is missing of the system's packages."""
    if subprocess.run([ROOT / "Scripts/install-dependencies", *groups], stdout=sys.stderr).returncode:
        fail("the set-up failed (above)", 2)


def build(*products, options=()):
    """Builds products, if any, and returns the folder of programs. The build's output goes to standard error."""
    for product in products:
        if subprocess.run(["swift", "build", *options, "--product", product], cwd=ROOT, stdout=sys.stderr).returncode:
            fail(f"{product} did not build (above)", 2)
    return pathlib.Path(output("swift", "build", *options, "--show-bin-path").strip())


def debug_build(folder):
    """Returns where a scratch folder of the checkout has its modules."""
    found = (ROOT / folder / "debug").resolve()
    return found if (found / "Modules").is_dir() else fail(f"{found} is no build; Scripts/test makes .build-scripts")


def build_preload(source, folder):
    """Compiles a C file of Scripts to a library for LD_PRELOAD in a folder, and returns its path."""
    clang = pathlib.Path(shutil.which("swift")).resolve().parent / "clang"
    library = pathlib.Path(folder, f"{pathlib.Path(source).stem}.so").absolute()
    library.parent.mkdir(exist_ok=True)
    # A program may be running on the library, so that it is replaced as a whole.
    built = library.with_suffix(f".{os.getpid()}")
    subprocess.run([clang if clang.exists() else "clang", "-O1", "-shared", "-fPIC", "-o", built,
                    ROOT / "Scripts" / source], check=True)
    return built.replace(library)


@contextlib.contextmanager
def running(words, **options):
    """Runs a program for the time of a block, and ends it then: by SIGTERM, and by SIGKILL ten seconds later."""
    with subprocess.Popen(words, **options) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def exit_on_signals():
    """Makes each signal that ends a command run its `finally` blocks; the same one does not interrupt these."""
    def end(number, _):
        signal.signal(number, signal.SIG_IGN)
        sys.exit(128 + number)
    for each in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(each, end)
