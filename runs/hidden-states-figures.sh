#!/bin/sh
# Hidden states, figures 3 to 9 and A.1 to A.5: precision and recall, layers, thresholds, positions, repeated and paraphrased spans.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the figures} MODEL=${3:?a causal language model} SPLIT=${SPLIT:-dev}
for task in quotesum verifiability-granular; do
  citewell papers hidden-states --task "$task" --data "$DATA" --split "$SPLIT" --method "hidden-states(model=$MODEL, context=0, match=windows)" --method lexical --out "$OUT/$task"
done
