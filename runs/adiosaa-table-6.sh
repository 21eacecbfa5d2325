#!/bin/sh
# ADiOSAA, table 6: all sentences, and GTR's and MonoT5's best 150, as candidates; tuned on Verifiability dev.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs} LLM=${3:?spec of a language model}
CHECKER=${CHECKER:-docnli} SPLIT=${SPLIT:-test} UNITS="llm(llm=$LLM, units=raw)"
TUNED=$(citewell papers adiosaa-tune --data "$DATA" --split dev --method "adiosaa(checker=$CHECKER, decompose=$UNITS)" --settings --quiet --out "$OUT-tuned")
name=0
for source in candidates=1000000 retriever=gtr retriever=monot5; do
  for method in \
    "adiosaa(checker=$CHECKER, decompose=$UNITS, $source, $TUNED)" "adiosaa(checker=$CHECKER, decompose=none, $source, $TUNED)" \
    "adiosaa(checker=$CHECKER, decompose=$UNITS, select=false, $source, $TUNED)" \
    "adiosaa(checker=$CHECKER, decompose=none, select=false, $source, $TUNED)"; do
    name=$((name + 1))
    citewell bench run verifiability --data "$DATA" --split "$SPLIT" --method "$method" --out "$OUT/verifiability-$name"
  done
done
citewell bench report "$OUT" --data "$DATA" ${FORM:-}
