#!/bin/sh
# LAB, table 19: models fine-tuned on QASPER by LAB's recipe, then asked for its development split: sh … DATA OUT MODEL...
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs} SPLIT=${SPLIT:-dev}
shift 2
for model in "$@"; do
  name=$(echo "$model" | tr -c 'a-zA-Z0-9\n' '-')
  citewell train lora --task qasper --data "$DATA" --split "${TRAIN:-train}" --model "$model" --steps "${STEPS:-1000}" --out "$OUT/adapters/$name"
  citewell bench run qasper --data "$DATA" --split "$SPLIT" --approach "${APPROACH:-citation(examples=0)}" --llm "transformers(model=$model, adapter=$OUT/adapters/$name/adapter)" --preset lab --sample "${SAMPLE:-2000}" --out "$OUT/runs/$name"
done
citewell papers lab models "$OUT/runs" --fine-tuned ${FORM:-}
