#!/bin/sh
# ADiOSAA, tables 2 and 3: the data; retrievers, ADiOSAA and what is left without its parts, tuned on Verifiability dev.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs} LLM=${3:?spec of a language model}
CHECKER=${CHECKER:-docnli} SPLIT=${SPLIT:-test} UNITS="llm(llm=$LLM, units=raw)"
citewell papers adiosaa-tables 2 --data "$DATA" ${FORM:-}
TUNED=$(citewell papers adiosaa-tune --data "$DATA" --split dev --method "adiosaa(checker=$CHECKER, decompose=$UNITS)" --settings --quiet --out "$OUT-tuned")
name=0
for method in \
  "retrieval(retriever=bm25, query=statement)" "retrieval(retriever=gtr, query=statement)" "retrieval(retriever=monot5, query=statement)" \
  "adiosaa(checker=$CHECKER, decompose=$UNITS, $TUNED)" "adiosaa(checker=$CHECKER, decompose=none, $TUNED)" \
  "adiosaa(checker=$CHECKER, decompose=$UNITS, select=false, $TUNED)" "adiosaa(checker=$CHECKER, decompose=none, select=false, $TUNED)"; do
  name=$((name + 1))
  citewell bench run verifiability --data "$DATA" --split "$SPLIT" --method "$method" --out "$OUT/verifiability-$name"
  citewell bench run hagrid --data "$DATA" --split dev --method "$method" --out "$OUT/hagrid-$name"
done
citewell bench report "$OUT" --data "$DATA" ${FORM:-}
