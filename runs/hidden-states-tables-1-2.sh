#!/bin/sh
# Hidden states, tables 1 and 2: copied tokens, and the passage of each copied span.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs} MODEL=${3:?a causal language model} SPLIT=${SPLIT:-test}
for task in quotesum verifiability-granular; do
  citewell calibrate "hidden-states(model=$MODEL)" --task "$task" --data "$DATA" --split dev --out "$OUT/$task-calibration.json"
  for method in "hidden-states(model=$MODEL)" lexical verbatim "retrieval(retriever=bm25)" "retrieval(retriever=gtr)" "retrieval(retriever=monot5)"; do
    citewell bench run "$task" --data "$DATA" --split "$SPLIT" --method "$method" --out "$OUT/$task-$(echo "$method" | tr -c 'a-z0-9\n' '-')"
  done
done
citewell bench report "$OUT" --data "$DATA" ${FORM:-}
