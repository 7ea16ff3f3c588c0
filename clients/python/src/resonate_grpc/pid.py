"""Names of processes."""

from __future__ import annotations

import os
import socket
import uuid


def new_pid() -> str:
    """Make a name that no other process has: the host and the number for people, the rest for uniqueness."""
    return f"{socket.gethostname()[:200]}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
