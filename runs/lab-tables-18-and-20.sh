#!/bin/sh
# LAB, tables 18 and 20: models prompted under citation on 100 items of QASPER and GovReport: sh … DATA OUT MODEL...
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs} SPLIT=${SPLIT:-dev}
shift 2
citewell papers lab models ${FORM:-}
for model in "$@"; do
  name=$(echo "$model" | tr -c 'a-zA-Z0-9\n' '-')
  for task in qasper govreport; do
    citewell bench run "$task" --data "$DATA" --split "$SPLIT" --approach "${APPROACH:-citation}" --llm "transformers(model=$model)" --preset lab --sample "${SAMPLE:-100}" --out "$OUT/$task-$name"
  done
done
citewell papers lab models "$OUT" ${FORM:-}
