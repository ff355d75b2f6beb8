"""The command line: `main` is the one place where errors become exit codes."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from codemem.errors import CodememError

if TYPE_CHECKING:
    from codemem.cli.door import Door

FOUND, NOTHING, MISUSE, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: found or done; nothing found or a check failed; error or misuse; Ctrl-C (128 + SIGINT, as in shells)."""
COLLECT_EVERY = 50_000
"""Objects made between two collections: the default 700 spends a tenth of start-up looking at modules for garbage."""


def run() -> NoReturn:
    """Run the command line of this process and end it.

    Nothing waits for the interpreter to take its modules down, 8 ms of every search, unless something else still runs.
    """
    code = main()
    if threading.active_count() > 1:
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # an error may leave a half-written result behind
            stream.flush()
    os._exit(code)


def main(arguments: Sequence[str] | None = None, door: Door | None = None) -> int:
    """Run one command line and return its exit code; `door` holds what a server keeps between its calls."""
    if arguments is None:
        _open_closed_streams()
        _speak_utf8()
        # Before numpy is imported: its products are small here, and on a busy machine a second thread turns 2 ms into 50.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    given = list(sys.argv[1:] if arguments is None else arguments)
    before_query = given[: given.index("--")] if "--" in given else given
    debug = "--debug" in before_query or bool(os.environ.get("CODEMEM_DEBUG"))
    _make_streams_safe()
    gc.set_threshold(COLLECT_EVERY)
    try:
        return _flushed(_run(given, door))
    except BrokenPipeError:
        return _closed_pipe()
    except KeyboardInterrupt:
        print("interrupted: the same command goes on from here", file=sys.stderr)
        return INTERRUPTED
    except CodememError as error:
        if debug:
            raise
        return _explain(error.message, error.remedy)
    except OSError as error:
        if debug:
            raise
        return _explain(f"{error.strerror or error}: {error.filename}" if error.filename else str(error),
                        "check that the path exists and may be read and written")  # fmt: skip
    except MemoryError:
        return _explain("out of memory", "run again with --jobs 1, or with a smaller setting `max_file_bytes`")
    except Exception as error:
        if debug:
            raise
        return _explain(
            f"internal error: {type(error).__name__}: {error}", "run again with --debug and report what it prints"
        )


def _run(arguments: list[str], door: Door | None) -> int:
    from codemem.cli.engine import UsageError, run_command, usage_remedy

    try:
        return run_command(arguments, door)
    except UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            print(error.ctx.get_help())
            return FOUND
        return _explain(error.format_message(), usage_remedy(error))


def _explain(message: str, remedy: str) -> int:
    """Say what went wrong in one line and what to do in another."""
    from codemem.render.safe import one_line

    print(f"codemem: {one_line(message)}", file=sys.stderr)
    if remedy:
        print(f"  {one_line(remedy)}", file=sys.stderr)
    return MISUSE


def _flushed(code: int) -> int:
    sys.stdout.flush()
    return code


def _closed_pipe() -> int:
    """The reader has what it wanted (`| head`): success, and nothing more may be written, not even at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    return FOUND


def _open_closed_streams() -> None:
    """Put the null device in place of streams that the caller closed (`>&-`), before the store gets their number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            mode = "w" if number else "r"
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 (lives as long as we)


def _speak_utf8() -> None:
    """Begin again in Python's UTF-8 mode where the locale would misread file names; the streams keep their encoding."""
    if sys.getfilesystemencoding().lower() == "utf-8":
        return
    os.environ.setdefault("PYTHONIOENCODING", sys.stdout.encoding or "ascii")
    os.environ["PYTHONUTF8"] = "1"
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def _make_streams_safe() -> None:
    """Let a stream that cannot show a character show its escape instead of ending the run."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
