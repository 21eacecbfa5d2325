#!/bin/sh
# Hidden states, section 6 and A.1 to A.5: layers, thresholds, positions, repeated and paraphrased spans.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the figures} MODEL=${3:?a causal language model} SPLIT=${SPLIT:-dev}
for task in quotesum verifiability-granular; do
  citewell papers hidden-states layers thresholds positions repeated paraphrased --task "$task" --data "$DATA" --split "$SPLIT" --method "hidden-states(model=$MODEL)" --method lexical --out "$OUT/$task" ${FORM:-}
done
