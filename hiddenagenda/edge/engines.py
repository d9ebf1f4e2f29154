"""Where work on many games is done: in this process, in several, or on a cluster. An engine only maps.

SPEC "Audits". Tasks go in and results come out in the same order, whichever engine it is; never more than a few are on
their way, so that memory stays flat. What a task does is not known here.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import parent_process
from threading import Thread
from typing import Any, Final, Protocol, TypeVar

from hiddenagenda.faults import HiddenAgendaError, sentence

_AHEAD: Final = 3
"""Tasks on their way for each worker, so that none waits for the next one."""

_T = TypeVar("_T")
_R = TypeVar("_R")


class EngineError(HiddenAgendaError):
    """Work could not be done where it should be."""


class Engine(Protocol):
    """What maps a function over tasks. Function, tasks and results can be pickled."""

    def map(self, function: Callable[[_T], _R], tasks: Iterable[_T]) -> Iterator[_R]:
        """Yield the result of every task, in order; tasks are taken as they are needed. Raises what they raise."""
        ...


class Here:
    """Does everything in this process."""

    def map(self, function: Callable[[_T], _R], tasks: Iterable[_T]) -> Iterator[_R]:
        """Yield the results, each made when it is asked for."""
        return map(function, tasks)


class Processes:
    """Does everything in a pool of processes."""

    def __init__(self, pool: ProcessPoolExecutor, jobs: int) -> None:
        self._pool = pool
        self._jobs = jobs

    def map(self, function: Callable[[_T], _R], tasks: Iterable[_T]) -> Iterator[_R]:
        """Yield the results. Raises ``EngineError`` where a process was killed."""
        try:
            yield from _ordered(lambda task: self._pool.submit(function, task), tasks, _AHEAD * self._jobs)
        except BrokenProcessPool:
            raise EngineError(
                sentence("a process that judged games was ended from outside"),
                hint=sentence("perhaps memory ran out: try again with fewer jobs"),
                code="process-lost",
            ) from None


class Cluster:
    """Does everything on the workers of a dask scheduler; they see the same files under the same paths."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def map(self, function: Callable[[_T], _R], tasks: Iterable[_T]) -> Iterator[_R]:
        """Yield the results. Raises ``EngineError`` where the cluster is lost or has no workers."""
        distributed = import_module("distributed")
        lost = (distributed.CancelledError, distributed.KilledWorker, OSError)
        workers = max(1, len(self._client.scheduler_info()["workers"]))
        try:
            yield from _ordered(lambda task: self._client.submit(function, task, pure=False), tasks, _AHEAD * workers)
        except lost as error:
            raise _lost(str(error)) from None


def _lost(why: str) -> EngineError:
    return EngineError(sentence("the cluster was lost: {why}", why=why), code="cluster-lost")


def _ordered(submit: Callable[[_T], Any], tasks: Iterable[_T], most: int) -> Iterator[_R]:
    """Yield results in the order of tasks, with at most ``most`` of them on their way."""
    running: deque[Any] = deque()
    try:
        for task in tasks:
            running.append(submit(task))
            if len(running) >= most:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    finally:
        for future in running:
            future.cancel()


@contextmanager
def here() -> Iterator[Engine]:
    """Provide the engine that does everything in this process."""
    yield Here()


@contextmanager
def processes(jobs: int) -> Iterator[Engine]:
    """Provide a pool of ``jobs`` processes. They leave an interruption to this one, and end when it does."""
    pool = ProcessPoolExecutor(jobs, initializer=_belong_to_parent)
    try:
        yield Processes(pool, jobs)
    finally:
        pool.shutdown(cancel_futures=True)


def _belong_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait until the first process is gone, even if it was killed: nobody else would end this one."""
    parent = parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


@contextmanager
def cluster(scheduler: str | None, jobs: int) -> Iterator[Engine]:
    """Provide the dask ``scheduler`` (``tcp://…``), or one with ``jobs`` workers on this machine.

    Raises ``EngineError`` where dask is not installed or does not answer.
    """
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise EngineError(
            sentence("dask is not installed"),
            hint=sentence("install it with: pip install 'hiddenagenda[cluster]'"),
            code="no-dask",
        ) from None
    try:
        if scheduler is None:
            client = distributed.Client(n_workers=jobs, threads_per_worker=1, dashboard_address="127.0.0.1:0")
        else:
            client = distributed.Client(scheduler, timeout=10)
    except (OSError, ValueError, TimeoutError) as error:
        raise EngineError(
            sentence("no dask scheduler answers at {address}: {why}", address=scheduler or "localhost", why=str(error)),
            hint=sentence("start one with: dask scheduler, and workers with: dask worker tcp://…"),
            code="no-scheduler",
        ) from None
    with client:
        yield Cluster(client)


def processors() -> int:
    """Return how many processes this one may use at once."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
