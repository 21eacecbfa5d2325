#!/bin/sh
# LAB, table 2: checkers on 200 annotated responses a task. Run it, let people fill OUT/TASK.jsonl, run it again.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs} LLM=${3:?spec of a language model} SPLIT=${SPLIT:-dev}
for task in qasper natural-questions govreport; do
  run="$OUT/$task-post-hoc" sheet="$OUT/$task.jsonl"
  citewell bench run "$task" --data "$DATA" --split "$SPLIT" --preset lab --checker lexical --approach post-hoc --llm "$LLM" --retriever bm25 --sample "${SAMPLE:-200}" --out "$run"
  [ -f "$sheet" ] || citewell papers lab sheet "$run" --data "$DATA" --number "${SAMPLE:-200}" --out "$sheet"
  if grep -q '"attributable": null' "$sheet"; then
    echo "$sheet: put true or false, or a list with each annotator's, for null after \"attributable\""
  else
    citewell bench select-checker "$task" --data "$DATA" --annotations "$sheet" --checker true --checker attrscore --checker minicheck ${FORM:-}
  fi
done
