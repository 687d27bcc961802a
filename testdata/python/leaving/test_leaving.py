"""Tests that pass and leave something running, and tests that do not."""
import asyncio
import multiprocessing
import os
import queue
import socket
import socketserver
import subprocess
import sys
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import pytest

kept = []


def consume(jobs):
    while jobs.get() is not None:  # @mark get
        pass


def test_thread_on_queue():
    threading.Thread(target=consume, args=(queue.Queue(),), name="consumer", daemon=True).start()  # @mark consumer


def test_executor_not_shut():
    pool = ThreadPoolExecutor(2)
    kept.append(pool)
    assert pool.submit(sum, [1, 2]).result() == 3  # @mark submit


def test_timer():
    timer = threading.Timer(3600, print)
    timer.daemon = True
    timer.start()  # @mark timer


def test_event():
    stop = threading.Event()
    for _ in range(3):
        threading.Thread(target=stop.wait, daemon=True).start()  # @mark waiter


async def forever():
    await asyncio.Event().wait()  # @mark forever


def test_task_not_awaited():
    async def main():
        asyncio.get_running_loop().create_task(forever(), name="lost")  # @mark task
        await asyncio.sleep(0)

    asyncio.run(main())


def test_loop_not_closed():
    loop = asyncio.new_event_loop()
    kept.append(loop)

    async def main():
        kept.append(loop.create_task(forever()))  # @mark unclosed
        await asyncio.sleep(0)

    loop.run_until_complete(main())


def test_process():
    kept.append(subprocess.Popen(["sleep", "60"]))  # @mark sleep


def test_daemon_process():
    process = multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,), daemon=True, name="sleeper")
    process.start()  # @mark fork


def test_server_not_shut():
    server = socketserver.TCPServer(("127.0.0.1", 0), socketserver.BaseRequestHandler)
    kept.append(server)
    threading.Thread(target=server.serve_forever, daemon=True).start()  # @mark serve


class TestCase(unittest.TestCase):
    def test_in_case(self):
        threading.Thread(target=consume, args=(queue.Queue(),), daemon=True).start()  # @mark case

    def test_clean_in_case(self):
        stop = threading.Event()
        self.addCleanup(stop.set)
        threading.Thread(target=stop.wait).start()


# What follows leaves nothing.


@pytest.fixture(scope="session")
def worker():
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    yield thread
    stop.set()


def test_clean_session_fixture(worker):
    assert worker.is_alive()


def test_clean_settles():
    threading.Thread(target=time.sleep, args=(0.05,)).start()


def test_clean_executor():
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(abs, [-1, 2])) == [1, 2]


def test_clean_tasks():
    async def main():
        task = asyncio.create_task(asyncio.sleep(0.01))
        await asyncio.to_thread(time.sleep, 0)
        await task

    asyncio.run(main())


def test_clean_process():
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(abs, (-1,)) == 1


def test_clean_server():
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname()):
            server.accept()[0].close()


def test_clean_environment():
    assert not [name for name in os.environ if "LEFT" in name]
    assert threading.Thread.start.__module__ == "threading"


def test_hangs():
    threading.Thread(target=consume, args=(queue.Queue(),), name="consumer").start()  # @mark hangs
