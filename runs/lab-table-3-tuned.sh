#!/bin/sh
# LAB, table 3, a tuned model: two adapters a task, trained with and without citations, each for the approaches that ask so.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs} MODEL=${3:?a local model} SPLIT=${SPLIT:-test}
tune() { # the adapter of a task: NAME FLAG
  citewell train lora --task "$task" --data "$DATA" --split "${TRAIN:-train}" "$2" --model "$MODEL" --steps "${STEPS:-1000}" --out "$OUT/adapters/$task-$1"
}
ask() { # an approach with an adapter: APPROACH NAME
  citewell bench run "$task" --data "$DATA" --split "$SPLIT" --preset "lab(examples=0)" --approach "$1" --llm "transformers(model=$MODEL, adapter=$OUT/adapters/$task-$2/adapter)" --sample "${SAMPLE:-2000}" --out "$OUT/runs/$task-$1"
}
for task in ${TASKS:-qasper natural-questions govreport evidence-inference wice contract-nli}; do
  tune with --citations
  tune without --no-citations
  ask post-hoc without
  ask retrieve-then-read without
  ask reduced-post-hoc without
  ask citation with
  ask reduced-citation with
done
citewell bench report "$OUT/runs" --data "$DATA" --html "$OUT/report.html" ${FORM:-}
