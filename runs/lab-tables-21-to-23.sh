#!/bin/sh
# LAB, tables 21 to 23: which retriever serves which task, for the three approaches that retrieve; the papers' judges.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs} LLM=${3:?spec of a language model} SPLIT=${SPLIT:-dev}
for approach in ${APPROACHES:-retrieve-then-read reduced-citation post-hoc}; do
  for task in qasper natural-questions govreport evidence-inference wice contract-nli; do
    citewell bench select-retriever "$task" --data "$DATA" --split "$SPLIT" --preset lab --approach "$approach" --llm "$LLM" --sample "${SAMPLE:-100}" --out "$OUT/$approach" ${FORM:-}
  done
done
