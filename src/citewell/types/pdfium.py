"""The one lock around pdfium, which has global state: reading, locating and annotating take turns."""

import os
import threading

LOCK = threading.RLock()

# A child of a fork has only the thread that forked: a lock that another thread held would stay closed in it, and what
# pdfium was at would stay half done. So a fork waits for its turn.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=LOCK.acquire, after_in_parent=LOCK.release, after_in_child=LOCK.release)
