"""Let file permissions bind the tests although root runs them (containers, CI)."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager

VERSION = 0x20080522
"""_LINUX_CAPABILITY_VERSION_3: two words of each set."""
ABOVE_PERMISSIONS = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Sets(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


@contextmanager
def bound_by_permissions() -> Iterator[None]:
    """Run a block as somebody who may read and write only what the modes of files say; root lends its powers back after it."""
    if os.geteuid():
        yield
        return
    system = ctypes.CDLL(None, use_errno=True)
    header, sets = _Header(VERSION, 0), (_Sets * 2)()
    assert system.capget(ctypes.byref(header), sets) == 0, "only Linux lets root be bound by permissions"
    before = sets[0].effective
    sets[0].effective = before & ~ABOVE_PERMISSIONS
    assert system.capset(ctypes.byref(header), sets) == 0
    try:
        yield
    finally:
        sets[0].effective = before
        assert system.capset(ctypes.byref(header), sets) == 0
