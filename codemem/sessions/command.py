"""Run a language model that the user configured as a program: argument list, no shell, bounded in time and output."""

from __future__ import annotations

import shlex
import subprocess

from codemem.errors import BadInput, ProviderError

TIMEOUT_SECONDS = 120
"""A model on a slow machine needs a minute for a page; beyond two something hangs."""
MAX_REPLY = 1_000_000
"""Characters; a longer reply is not an answer."""


def run_model(command: str, prompt: str) -> str:
    """Give `prompt` to the program on stdin and return what it prints; raises ProviderError when it fails."""
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise BadInput(
            f"the model command cannot be read: {error}", "quote it as for a shell; no shell runs it"
        ) from error
    if not arguments:
        raise BadInput("the model command is empty", "give a program and its arguments")
    try:
        done = subprocess.run(
            arguments,
            input=prompt.encode("utf-8", "replace"),
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, ValueError) as error:
        raise ProviderError(f"{arguments[0]} cannot be run: {error}", "check --llm-command") from error
    except subprocess.TimeoutExpired as error:
        raise ProviderError(
            f"{arguments[0]} gave no answer within {TIMEOUT_SECONDS} s", "try a faster model"
        ) from error
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
        raise ProviderError(f"{arguments[0]} ended with {done.returncode}: {last}", "run it by hand to see why")
    reply = done.stdout.decode("utf-8", "replace")
    if len(reply) > MAX_REPLY:
        raise ProviderError(f"{arguments[0]} printed more than {MAX_REPLY:,} characters", "let it answer shorter")
    return reply
