"""The keeper of one twin: a small process that starts the twin's daemons, and ends them all.

    python -I -S keeper.py FOLDER

It reads FOLDER/keeper.json: which daemons there are, and when to end. A line written to FOLDER/wake starts one more, by
its name. It ends everything when a daemon that the others need is gone (then FOLDER/ended says which), when nobody has
used the twin for long enough and no job runs (then the folder goes too), and when the folder or the checkout is gone.
Where the keeper itself is killed, the kernel ends the daemons.

It imports the least it can, since one runs beside each twin.
"""

import ctypes
import fcntl
import json
import os
import select
import signal
import sys
import time

PATIENCE_SECONDS = 90
JOBS = {"slurmstepd", "sge_shepherd"}  # processes that stand for a running job
SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36  # of prctl(2)

prctl = ctypes.CDLL(None, use_errno=True).prctl


def gone(folder: str) -> bool:
    """Is this folder no longer there? One that only others may enter still is."""
    try:
        os.stat(folder)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        pass
    return False


class Keeper:
    def __init__(self, folder: str):
        self.folder = folder
        with open(f"{folder}/keeper.json", encoding="utf-8") as file:
            self.plan = json.load(file)
        self.identity = self.look()
        self.needed: dict[int, str] = {}  # process id -> name of a daemon that the others need
        prctl(SET_CHILD_SUBREAPER, 1)  # what the daemons leave behind becomes ours

    def look(self) -> tuple[int, int] | None:
        try:
            found = os.lstat(self.folder)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def start(self, name: str) -> None:
        """Start a daemon of the plan; `slurmd NODE` starts slurmd with NODE in place of `{node}`."""
        kind, _, node = name.partition(" ")
        daemon = self.plan["daemons"][kind]
        parent, child = os.getpid(), os.fork()
        if child:
            if daemon["needed"]:
                self.needed[child] = kind
                with open(f"{self.folder}/pids", "a", encoding="utf-8") as file:
                    file.write(f"{child}\n")
            return
        try:
            prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)
            signal.set_wakeup_fd(-1)
            log = os.open(f"{self.folder}/{kind}.out", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            null = os.open(os.devnull, os.O_RDONLY)
            for number, source in enumerate((null, log, log)):
                os.dup2(source, number)
            os.closerange(3, 1024)
            os.chdir(self.folder)
            os.execve(
                daemon["command"][0],
                [word.replace("{node}", node) for word in daemon["command"]],
                daemon["environment"],
            )
        except BaseException as fault:
            os.write(2, f"error: {fault}\n".encode())
        finally:
            os._exit(1)

    def start_needed(self) -> None:
        for name, daemon in self.plan["daemons"].items():
            if daemon["needed"]:
                self.start(name)
                end = time.monotonic() + PATIENCE_SECONDS
                while daemon["socket"] and not os.path.exists(daemon["socket"]) and time.monotonic() < end:
                    self.reap()
                    time.sleep(0.002)

    def reap(self) -> None:
        """Take leave of dead children; without a daemon that the others need, end all."""
        while True:
            try:
                child, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not child:
                return
            if child in self.needed:
                how = f"was killed by signal {status & 127}" if status & 127 else f"ended with status {status >> 8}"
                with open(f"{self.folder}/ended", "w", encoding="utf-8") as file:
                    file.write(f"{self.needed[child]} {how}")
                self.end()

    def descendants(self) -> dict[int, str]:
        """Every process below this one, by its number: the program's name."""
        parents, names = {}, {}
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                    head, _, tail = file.read().rpartition(")")
            except OSError:
                continue
            pid, parent = int(entry), int(tail.split()[1])
            parents[pid], names[pid] = parent, head.partition("(")[2]
        below, found = {os.getpid()}, {}
        while new := {pid for pid, parent in parents.items() if parent in below and pid not in found}:
            found |= {pid: names[pid] for pid in new}
            below = new
        return found

    def end(self) -> None:
        """End every process below this one, and itself."""
        self.end_others()
        os._exit(0)

    def end_others(self) -> None:
        while below := self.descendants():
            for pid in below:
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                continue
            time.sleep(0.005)

    def end_if_idle(self) -> None:
        """Idle: no command since so long, none that still runs, and no job."""
        if time.time() - os.stat(f"{self.folder}/used").st_mtime < self.plan["idle_seconds"] or JOBS & set(
            self.descendants().values()
        ):
            return
        with open(f"{self.folder}.lock", "ab") as lock, open(f"{self.folder}/used", "rb") as used:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                fcntl.flock(used, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return  # somebody starts a command, or has one running
            if time.time() - os.stat(f"{self.folder}/used").st_mtime < self.plan["idle_seconds"]:
                return
            self.clear()

    def clear(self) -> None:
        """End all, and leave nothing."""
        import shutil

        self.end_others()
        shutil.rmtree(self.folder, ignore_errors=True)
        try:
            os.unlink(f"{self.folder}.lock")
        except OSError:
            pass
        os._exit(0)

    def keep(self) -> None:
        wake = os.open(
            f"{self.folder}/wake", os.O_RDWR | os.O_NONBLOCK
        )  # also for writing, so that it is never at its end
        heard, told = os.pipe()
        os.set_blocking(told, False)
        os.set_blocking(heard, False)
        signal.set_wakeup_fd(told)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: self.end())
        self.start_needed()
        rest = ""
        while True:
            ready, _, _ = select.select([wake, heard], [], [], self.plan["look_seconds"])
            if heard in ready:
                os.read(heard, 4096)
            self.reap()
            if wake in ready:
                *names, rest = (rest + os.read(wake, 65536).decode()).split("\n")
                for name in names:
                    self.start(name)
            if self.look() != self.identity:
                self.end()
            if gone(self.plan["checkout"]):
                self.clear()
            self.end_if_idle()


if __name__ == "__main__":
    Keeper(sys.argv[1]).keep()
