"""The one lock around pdfium, which keeps global state: reading, locating and annotating take turns."""

import threading

LOCK = threading.RLock()
