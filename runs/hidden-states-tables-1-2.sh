#!/bin/sh
# Hidden states, tables 1 to 3: copied tokens, the passage of each copied span, and of spans in other words.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs} MODEL=${3:?a causal language model} LLM=${4:-} SPLIT=${SPLIT:-test} DEV=${DEV:-dev}
mkdir -p "$OUT"
for task in quotesum verifiability-granular quotesum-paraphrased; do
  base=${task%-paraphrased}
  if [ ! -f "$OUT/$base-calibration.txt" ]; then
    citewell calibrate "hidden-states(model=$MODEL, context=0, match=windows)" --task "$base" --data "$DATA" --split "$DEV" --out "$OUT/$base-calibration.json" > "$OUT/calibration.tmp"
    mv "$OUT/calibration.tmp" "$OUT/$base-calibration.txt"
  fi
  if [ "$task" != "$base" ] && [ ! -f "$DATA/quotesum_paraphrased/$SPLIT.jsonl" ]; then
    citewell bench build "$task" --data "$DATA" --split "$SPLIT" ${LLM:+--llm "$LLM"}
  fi
  for method in "$(tail -n 1 "$OUT/$base-calibration.txt")" lexical verbatim "retrieval(retriever=bm25, query=target)" "retrieval(retriever=gtr, query=target)" "retrieval(retriever=monot5, query=target)" ${LLM:+llm}; do
    case $method in
      llm) citewell bench run "$task" --data "$DATA" --split "$SPLIT" --method "llm(llm=$LLM)" --out "$OUT/$task-llm" ;;
      *) citewell bench run "$task" --data "$DATA" --split "$SPLIT" --method "$method" --out "$OUT/$task-$(echo "$method" | sed 's/model=[^,)]*//' | tr -c 'a-z0-9\n' '-')" ;;
    esac
  done
done
citewell bench report "$OUT" --data "$DATA" ${FORM:-}
