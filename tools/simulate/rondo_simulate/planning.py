"""Plans: the program is run as one process that does what each of many ranks would do, without their tasks.

A plan of few ranks is a file. One of many goes through a pipe with a name, and is read while it is written.
"""

import os
import signal
import subprocess
import tempfile
import time

from rondo_scale import running
from rondo_scale.complaint import Complaint
from rondo_scale.study import of_many

from . import engine

IN_A_FILE = 256  # ranks, at most


class NoPlan(Complaint):
    pass


def environment_of(ranks, workers, to):
    """Ranks don't talk to each other in a plan, and there is nothing to observe."""
    kept = {k: v for k, v in os.environ.items() if k not in ("RONDO_TRANSPORT", "RONDO_OBSERVE")}
    return dict(kept, RONDO_PLAN=f"ranks={ranks},workers={workers},to={to}")


def start(program, ranks, workers, to, log):
    with open(log, "w", encoding="utf-8") as out:
        return subprocess.Popen(
            program.planned_command(ranks),
            env=environment_of(ranks, workers, to),
            cwd=program.directory,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def told(program, ranks, code, log, limit):
    """Of a program that could not be planned."""
    with open(log, encoding="utf-8", errors="replace") as f:
        said = running.end_of(f.read())
    if code is None:
        why = f"had no end after {limit:g} s (--plan-limit)"
    else:
        why = f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return NoPlan(
        f"{program.name} can't be planned for {of_many(ranks, 'rank')}: it {why}. It has printed:\n"
        + "\n".join("    " + line for line in said or ["nothing"])
        + "\nTasks don't run in a plan, so control flow that depends on values (get() in the main thread) can't be"
        " planned: plan the variant that has futures."
    )


def to_file(program, ranks, workers, to, log, limit):
    child = start(program, ranks, workers, to, log)
    code = running.wait(child, limit)
    if code != 0:
        raise told(program, ranks, code, log, limit)
    if not os.path.exists(to):
        raise NoPlan(
            f"{program.name} has written no plan for {of_many(ranks, 'rank')}: does it begin with rondo::run, of a"
            " Rondo that knows RONDO_PLAN?"
        )


class Planner:
    """Makes plans, and has them predicted. Plans that are files are made once."""

    def __init__(self, wishes, folder):
        self.wishes, self.program = wishes, wishes.program
        self.logs = os.path.join(folder, "plans")
        os.makedirs(self.logs, exist_ok=True)
        self._temporary = tempfile.TemporaryDirectory(prefix="rondo-simulate-")
        self._files = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._temporary.cleanup()

    def log(self, ranks):
        return os.path.join(self.logs, f"on-{ranks}.log")

    def path(self, name):
        return os.path.join(self._temporary.name, name)

    def file(self, ranks, workers):
        key = ranks, workers
        if key not in self._files:
            to = self.path(f"{ranks}-{workers}.plan")
            to_file(self.program, ranks, workers, to, self.log(ranks), self.wishes.plan_limit)
            self._files[key] = to
        return self._files[key]

    def predict(self, ranks, workers, words):
        """The engine's answer; words: its command line but for the plan."""
        with open(self.path("out"), "w+", encoding="utf-8") as out, open(
            self.path("err"), "w+", encoding="utf-8", errors="replace"
        ) as err:
            if ranks <= IN_A_FILE:
                code = running.wait(self.reader(words, self.file(ranks, workers), out, err), self.wishes.plan_limit)
            else:
                code = self.through_pipe(ranks, workers, words, out, err)
            for f in (out, err):
                f.seek(0)
            if code is None:
                raise engine.Failed(f"{engine.NAME}: no end after {self.wishes.plan_limit:g} s (--plan-limit)")
            if code != 0:
                raise engine.Failed(f"{engine.NAME}: {engine.last_line(err.read())}")
            return engine.read(out.read(), "predict", ("predictions", "workers", "ranks"))

    @staticmethod
    def reader(words, plan, out, err, stdin=subprocess.DEVNULL):
        # Most of its time it waits for memory all over the place, which takes less in large pages.
        env = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", **os.environ}
        return subprocess.Popen([*words, plan], env=env, stdin=stdin, stdout=out, stderr=err, start_new_session=True)

    def through_pipe(self, ranks, workers, words, out, err):
        """Its own end for writing stays open here until the program has ended: if the engine ends before, it is for
        a reason of its own."""
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        ends, children = [], []
        try:
            ends.append(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))
            ends.append(os.open(pipe, os.O_WRONLY))
            os.set_blocking(ends[0], True)
            children.append(self.reader(words, "-", out, err, ends[0]))
            children.append(start(self.program, ranks, workers, pipe, self.log(ranks)))
            os.close(ends.pop(0))
            return self.wait_for_both(ranks, *children, ends)
        finally:
            for child in children:
                if child.poll() is None:
                    running.stop(child)
            for end in ends:
                os.close(end)
            os.remove(pipe)

    def wait_for_both(self, ranks, reader, child, ends):
        """The exit code of the engine, None if it has taken too long."""
        limit = self.wishes.plan_limit
        until = time.monotonic() + limit
        while child.poll() is None and reader.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        if reader.poll() not in (None, 0):
            return reader.returncode
        if child.poll() is None and reader.poll() == 0:  # it has all it needs
            running.wait(child, max(1.0, until - time.monotonic()))
        code = child.poll()
        if code not in (0, -signal.SIGPIPE):
            raise told(self.program, ranks, code, self.log(ranks), limit)
        os.close(ends.pop())  # now the plan has an end
        return running.wait(reader, max(1.0, until - time.monotonic()))
