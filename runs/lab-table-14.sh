#!/bin/sh
# LAB, table 14: where the instruction stands, and one to three examples, under citation.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs} LLM=${3:?spec of a language model} SPLIT=${SPLIT:-dev}
for task in qasper govreport; do
  citewell bench prompts "$task" --data "$DATA" --split "$SPLIT" --llm "$LLM" --preset lab --sample "${SAMPLE:-100}" --out "$OUT" ${FORM:-}
done
