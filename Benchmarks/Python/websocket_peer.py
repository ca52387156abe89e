"""Loads over Python's websockets, a client on asyncio; the counterpart of SwitchyardPeer's."""

import argparse
import asyncio
import os
import resource
import time

import websockets

MESSAGE_SIZE = 1024


async def exchange(socket, message, in_flight, count):
    """Sends messages, of which a number waits for their echo at a time; returns the bytes that came back."""
    sent = min(in_flight, count)
    received = 0
    for _ in range(sent):
        await socket.send(message)
    for _ in range(count):
        received += len(await socket.recv())
        if sent < count:
            sent += 1
            await socket.send(message)
    return received


async def echo(options):
    message = "a" * MESSAGE_SIZE if options.text else b"a" * MESSAGE_SIZE
    async with websockets.connect(options.url, compression=None, ping_interval=None) as socket:
        await exchange(socket, message, options.in_flight, options.warm_up)
        start = time.monotonic()
        received = await exchange(socket, message, options.in_flight, options.requests)
        seconds = time.monotonic() - start
    answered = received // MESSAGE_SIZE
    print(
        f"answered={answered} failed={options.requests - answered} bytes={received} seconds={seconds}"
        " protocol=- peak-kib=0"
    )


def status(name):
    """Returns a number of /proc/self/status."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name + ":"))


async def idle(options):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    connecting = asyncio.Semaphore(64)

    async def connect():
        async with connecting:
            return await websockets.connect(
                options.url, compression=None, ping_interval=options.ping_interval
            )

    sockets = [await connect()]
    memory, descriptors = status("VmRSS"), len(os.listdir("/proc/self/fd"))
    sockets += await asyncio.gather(*(connect() for _ in range(options.size)))
    start = time.process_time()
    await asyncio.sleep(options.seconds)
    seconds = time.process_time() - start
    answered = sum(socket.open for socket in sockets[1:])
    print(
        f"answered={answered} failed={options.size - answered}"
        f" memory-bytes={(status('VmRSS') - memory) * 1024}"
        f" descriptors={len(os.listdir('/proc/self/fd')) - descriptors}"
        f" threads={status('Threads')} cpu-seconds={seconds}",
        flush=True,
    )
    # Closing them one by one would take longer than the load.
    os._exit(0)


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("echo")
    command.set_defaults(run=echo)
    command.add_argument("--url", required=True)
    command.add_argument("--in-flight", type=int, required=True)
    command.add_argument("--warm-up", type=int, default=0)
    command.add_argument("--requests", type=int, required=True)
    command.add_argument("--text", action="store_true")
    command = commands.add_parser("idle")
    command.set_defaults(run=idle)
    command.add_argument("--url", required=True)
    command.add_argument("--size", type=int, required=True)
    command.add_argument("--seconds", type=float, required=True)
    command.add_argument("--ping-interval", type=float, required=True)
    options = parser.parse_args()
    asyncio.run(options.run(options))


main()
