#!/bin/sh
# ADiOSAA, table 3: retrievers and entailment on Verifiability (test) and HAGRID (dev).
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs} CHECKER=${CHECKER:-docnli}
for method in "retrieval(retriever=bm25)" "retrieval(retriever=gtr)" "retrieval(retriever=monot5)" "entailment(checker=$CHECKER)" lexical; do
  name=$(echo "$method" | tr -c 'a-z0-9\n' '-')
  citewell bench run verifiability --data "$DATA" --split test --method "$method" --out "$OUT/verifiability-$name"
  citewell bench run hagrid --data "$DATA" --split dev --method "$method" --out "$OUT/hagrid-$name"
done
citewell bench report "$OUT" --data "$DATA" ${FORM:-}
