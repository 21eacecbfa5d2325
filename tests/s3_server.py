"""An S3 server of this machine with an empty bucket, which can be lost and comes back with what it had."""

from contextlib import contextmanager

import pytest

ENVIRONMENT = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1"}
# The libraries' own: connections and loops that are collected in whatever test comes later.
WARNINGS = ("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::DeprecationWarning")


class Bucket:
    """What tests do to the server, and `store`, a client of it."""

    def __init__(self, server_of):
        self.server_of, self.port = server_of, 0
        self.start()

    def start(self):
        self.server = self.server_of(ip_address="127.0.0.1", port=self.port, verbose=False)
        self.server.start()
        _, self.port = self.server.get_host_and_port()

    def lose(self):
        self.server.stop()

    def names(self, folder):
        """The objects below a folder that are no mark."""
        return [name for name in self.store.find(folder) if not name.endswith("/citewell")]


@contextmanager
def bucket(monkeypatch):
    """A server with the bucket `bucket`, named by the environment of this process and of those that it starts."""
    s3fs = pytest.importorskip("s3fs")
    started = Bucket(pytest.importorskip("moto.server").ThreadedMotoServer)
    for name, value in {**ENVIRONMENT, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{started.port}"}.items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    started.store = s3fs.S3FileSystem(use_listings_cache=False)
    if started.store.exists("bucket"):  # another test's of this process
        started.store.rm("bucket", recursive=True)
    started.store.mkdir("bucket")
    yield started
    s3fs.S3FileSystem.clear_instance_cache()
    started.server.stop()
