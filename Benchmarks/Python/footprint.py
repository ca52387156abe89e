#!/usr/bin/env python3
"""Measures what it costs to depend on this package, and to ship it, beside async-http-client and curl.

Three programs of Benchmarks are measured: MediationFootprint opens a module by URL; TransportFootprint decodes JSON that
CurlTransport loads; UmbrellaFootprint does so through the standard chain. AsyncHTTPClientFootprint does the same with
async-http-client, and curl is Debian's program, on the same libcurl as ours. The exit code is 1 if a bar is missed.

  bench footprint.PART.build ours=…s bar=…s PASS|MISS       a clean debug build of a package with the program
  bench footprint.PART.fetched ours=…MiB                    what SwiftPM has fetched for it, as Git's packed objects
  bench footprint.PART.binary.vs-PEER ours=…KiB peer=…KiB   the release program, stripped, without shared libraries
  bench footprint.PART.first-byte.vs-PEER ours=…ms …        from the start of the process until a server on 127.0.0.1 has
                                                            the first byte of its request: the median of all rounds
  bench footprint.PART.memory.vs-PEER ours=…MiB …           the resident memory after one request: the median

The programs send a second request when they have used the first response; the memory is read when it arrives.
"""

import argparse
import os
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parent
# The program of each part, the maximum seconds of its build on two idle cores, and the products that it uses.
PARTS = {
    "mediation": ("MediationFootprint", 15, ["Mediation"]),
    "transport": ("TransportFootprint", 40, ["Interception", "CurlTransport", "BodyFormats"]),
    "umbrella": ("UmbrellaFootprint", 100, ["Switchyard"]),
}
SENDING = ["transport", "umbrella"]
PEERS = {"ahc": "AsyncHTTPClientFootprint", "curl": "curl"}
BODY = b'{"name": "first"}'
MANIFEST = """// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Footprint",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Switchyard", path: "CHECKOUT")],
  targets: [.executableTarget(name: "PROGRAM", dependencies: [PRODUCTS])],
  swiftLanguageModes: [.v6]
)
"""


def fail(message):
    print(f"footprint: error: {message}", file=sys.stderr)
    sys.exit(2)


def swift(*words):
    """Runs a command of SwiftPM as a user of the package does, and returns the seconds that it takes."""
    environment = {name: value for name, value in os.environ.items() if name != "SWITCHYARD_WARNINGS_AS_ERRORS"}
    began = time.monotonic()
    run = subprocess.run(["swift", *words], env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if run.returncode:
        fail(f"\"swift {' '.join(map(str, words))}\" failed:\n{run.stdout}")
    return time.monotonic() - began


def dependency(part, folder):
    """Builds a package with one of the programs, and returns the seconds and the fetched MiB."""
    program, _, products = PARTS[part]
    chosen = ", ".join(f'.product(name: "{name}", package: "Switchyard")' for name in products)
    (folder / "Sources").mkdir(parents=True)
    shutil.copytree(PACKAGE / "Sources" / program, folder / "Sources" / program)
    (folder / "Package.swift").write_text(
        MANIFEST.replace("CHECKOUT", str(ROOT)).replace("PROGRAM", program).replace("PRODUCTS", chosen))
    swift("package", "--package-path", folder, "resolve")  # Fetching is the network's time.
    fetched = sum(path.stat().st_size for path in (folder / ".build/repositories").rglob("objects/**/*") if path.is_file())
    return swift("build", "--package-path", folder), fetched / 2**20


def stripped(program, folder):
    """The KiB of a program without its symbols."""
    subprocess.run(["strip", "-o", folder / "stripped", program], check=True)
    return (folder / "stripped").stat().st_size / 1024


def receive(connection):
    """Reads a request, and returns the time at which its first byte was there."""
    received = connection.recv(65536)
    first = time.monotonic()
    while received and b"\r\n\r\n" not in received:
        more = connection.recv(65536)
        received += more or b"\r\n\r\n"
    if not received:
        raise ConnectionError("the connection was closed before a request")
    return first


def run(program, listener):
    """Runs a program that sends two requests, and returns the ms until the first one and the resident MiB after it."""
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    words = [program, "-s", url, url] if program.name == "curl" else [program, url]
    answer = (f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: no-store\r\nContent-Length: {len(BODY)}\r\n"
              "\r\n").encode() + BODY
    began = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(30)
            first = receive(connection)
            connection.sendall(answer)
            receive(connection)
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            connection.sendall(answer)
            complaints = process.communicate(timeout=30)[1]
    except (OSError, subprocess.TimeoutExpired) as error:
        process.kill()
        fail(f"{program.name} did not send two requests over one connection: {error}\n{process.communicate()[1].decode()}")
    if process.returncode:
        fail(f"{program.name} failed with exit {process.returncode}: {complaints.decode()}")
    return (first - began) * 1e3, int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) / 1024


def sending(programs, rounds):
    """The median ms and MiB of each program, from interleaved rounds."""
    measured = {name: [] for name in programs}
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(30)
        for number in range(rounds + 1):
            for name, program in programs.items():
                values = run(program, listener)
                # The first round reads the programs from the disk.
                if number:
                    measured[name].append(values)
    return {name: [statistics.median(column) for column in zip(*values)] for name, values in measured.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15, help="the number of rounds of what is sent; %(default)s by default")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of the built programs")
    options = parser.parse_args()
    programs = {part: options.programs / program for part, (program, _, _) in PARTS.items()}
    programs |= {"ahc": options.programs / PEERS["ahc"], "curl": pathlib.Path(shutil.which("curl") or fail("curl is missing"))}
    is_missed = False
    with tempfile.TemporaryDirectory(prefix="switchyard-footprint.") as state:
        folder = pathlib.Path(state)
        for part, (_, bar, _) in PARTS.items():
            print(f"footprint: a clean build of {part}", file=sys.stderr)
            seconds, fetched = dependency(part, folder / part)
            is_missed |= seconds > bar
            print(f"bench footprint.{part}.build ours={seconds:.1f}s peer=- ratio=- bar={bar:.1f}s "
                  f"{'PASS' if seconds <= bar else 'MISS'}")
            print(f"bench footprint.{part}.fetched ours={fetched:.2f}MiB peer=- ratio=- bar=-", flush=True)
        sizes = {name: stripped(program, folder) for name, program in programs.items()}
    sent = sending({name: program for name, program in programs.items() if name != "mediation"}, options.rounds)
    columns = [("binary", "KiB", sizes, PARTS), ("first-byte", "ms", {name: values[0] for name, values in sent.items()}, SENDING),
               ("memory", "MiB", {name: values[1] for name, values in sent.items()}, SENDING)]
    for figure, unit, values, parts in columns:
        for part in parts:
            for peer in PEERS:
                print(f"bench footprint.{part}.{figure}.vs-{peer} ours={values[part]:.1f}{unit} peer={values[peer]:.1f}{unit} "
                      f"ratio={values[part] / values[peer]:.2f} bar=-")
    return 1 if is_missed else 0


if __name__ == "__main__":
    sys.exit(main())
