#!/bin/sh
# LAB, table 3: five approaches on six tasks, with the paper's settings, retrievers and judges of attributability.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs} LLM=${3:?spec of a language model} SPLIT=${SPLIT:-test}
for approach in post-hoc retrieve-then-read citation reduced-post-hoc reduced-citation; do
  for task in qasper natural-questions govreport evidence-inference wice contract-nli; do
    citewell bench run "$task" --data "$DATA" --split "$SPLIT" --preset lab --approach "$approach" --llm "$LLM" --sample "${SAMPLE:-2000}" --out "$OUT/$task-$approach"
  done
done
citewell bench report "$OUT" --data "$DATA" --html "$OUT/report.html" --plots "$OUT/plots" ${FORM:-}
