#!/bin/sh
# ADiOSAA, table 6: what its parts are worth.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the figures} CHECKER=${CHECKER:-docnli} SPLIT=${SPLIT:-test}
citewell papers adiosaa --task verifiability --data "$DATA" --split "$SPLIT" --method "entailment(checker=$CHECKER)" --out "$OUT" ${FORM:-}
