"""Which workers: processes of this machine, or actors of a Ray cluster."""

from __future__ import annotations

from citewell.library.batch.schedule import Work, Workers


def workers(work: Work, count: int, ray: str | None = None, gpus: float = 0.0) -> Workers:
    """So many workers.

    Args:
        work: what they do with rows.
        count: how many.
        ray: the address of a cluster, "local" or "auto"; see `Cluster`.
        gpus: of each, on a cluster.

    Raises:
        MissingExtraError: ray is not installed.
        UnreachableError: there is no cluster at the address.
    """
    if ray:
        from citewell.library.batch.cluster import Cluster

        return Cluster(work, ray, count, gpus)
    from citewell.library.batch.processes import Processes

    return Processes(work, count)
