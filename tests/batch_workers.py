"""Work that ends its worker, in a module that a new process can import."""

import json
import os
import signal


class Stillborn:
    """Work whose worker cannot begin."""

    def worker(self, files=None):
        os._exit(3)


class Ends:
    """Work that gives the row's id and ends its process at one of them."""

    def __init__(self, at):
        self.at = at

    def record(self):
        return {}

    def worker(self, files=None):
        return self

    def lines(self, rows):
        if any(row.id == self.at for row in rows):
            os.kill(os.getpid(), signal.SIGKILL)
        return [(json.dumps({"id": row.id, "result": row.id}).encode() + b"\n", True) for row in rows]
