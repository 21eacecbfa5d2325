"""Callers of one service whose documents each other must not see: their tokens, and the file that says so."""

ALICE, BOB, BOTH, READER = (f"{name}-0123456789abcdef" for name in ("alice", "bob", "both", "reader"))
LINES = f"""{ALICE} name=alice labels=a
{BOB} name=bob labels=b
{BOTH} name=both role=admin labels=a,b
{READER} name=reader scopes=read labels=a
"""


def bearer(token):
    return {"Authorization": f"Bearer {token}"}
