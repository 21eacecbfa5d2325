"""`citewell export-onnx`: export a model to a folder that needs no torch."""

from __future__ import annotations

import click

from citewell.cli.options import echo, options


@click.command("export-onnx")
@click.argument("model", metavar="MODEL")
@options("export_onnx", "out kind revision int8 json")
def export_onnx(*, model: str, out: str, kind: str | None, revision: str | None, int8: bool, as_json: bool) -> None:
    """Export MODEL (hub id or folder) as graphs for onnxruntime, and check them against the scores of torch.

    Sentence encoders, cross-encoders, NLI classifiers, MiniCheck's and T5-like checkers, readers. The folder can be
    used as a model everywhere, also on machines without torch: pip install 'citewell[onnx]'.

    \b
    citewell export-onnx cross-encoder/nli-deberta-v3-base --out nli
    citewell check report.pdf "Revenue fell." --checker "nli(model=nli)"
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell.models.exporting import export

    done = export(model, out, kind=kind, revision=revision, int8=int8)
    payload = {"folder": str(done.folder), "kind": done.kind, "difference": done.difference,
               "difference_int8": done.small, "bytes": done.size}  # fmt: skip
    lines = [f"{done.folder / name}: {size / 1e6:.1f} MB" for name, size in done.size.items()]
    lines.append(f"{done.kind}; scores differ from torch's by at most {done.difference:.1g} on a few texts")
    if done.small is not None:
        measured = f"by at most {done.small:.2g}; use them by quantize=8bit, measured on your own data"
        lines.append(f"weights of eight bits: {measured}")
    echo(payload, "\n".join(lines), as_json=as_json)
