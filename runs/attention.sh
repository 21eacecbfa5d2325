#!/bin/sh
# Attention, ablation and gradients beside hidden states and lexical: what a method chooses or learns, it does on DEV.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs} MODEL=${3:?a causal language model} SPLIT=${SPLIT:-test} DEV=${DEV:-dev}
# A spaCy pipeline, for the parse of attention-union; the spec of a language model, for laquer; 1 for heta, which is slow.
PARSER=${PARSER:-} LLM=${LLM:-} HETA=${HETA:-}
SAMPLE=${SAMPLE:-} EXAMPLES=${EXAMPLES:-128} MASKS=${MASKS:-64} DRAWS=${DRAWS:-30}
mkdir -p "$OUT"
for task in quotesum verifiability-granular; do
  # Heads and weights for one data set are chosen on the other, whose answers and passages they never saw.
  case $task in quotesum) other=verifiability-granular ;; *) other=quotesum ;; esac
  if [ ! -f "$OUT/$other-heads.json" ]; then
    citewell train select-heads "qrhead(model=$MODEL)" --task "$other" --data "$DATA" --split "$DEV" --examples "$EXAMPLES" --out "$OUT/$other-heads.json"
  fi
  if [ ! -f "$OUT/$other-at2.json" ]; then
    citewell train at2 "at2(model=$MODEL)" --task "$other" --data "$DATA" --split "$DEV" --examples "$EXAMPLES" --out "$OUT/$other-at2.json"
  fi
  if [ ! -f "$OUT/$other-layer.txt" ]; then
    citewell calibrate "hidden-states(model=$MODEL, context=0, match=windows)" --task "$other" --data "$DATA" --split "$DEV" --by span_accuracy > "$OUT/layer.tmp"
    mv "$OUT/layer.tmp" "$OUT/$other-layer.txt"
  fi
  citewell bench attributors "$task" --data "$DATA" --split "$SPLIT" --out "$OUT" ${SAMPLE:+--sample "$SAMPLE" --seed 0} ${FORM:-} \
    --method "$(tail -n 1 "$OUT/$other-layer.txt")" \
    --method lexical --method verbatim --method "retrieval(retriever=bm25, query=target)" \
    --method "icr(model=$MODEL, query=target)" --method "icr(model=$MODEL, query=target, calibrate=false)" \
    --method "qrhead(model=$MODEL, heads=$OUT/$other-heads.json, query=target)" \
    --method "attention-union(model=$MODEL)" ${PARSER:+--method "attention-union(model=$MODEL, parser=$PARSER)"} \
    --method "at2(model=$MODEL)" --method "at2(model=$MODEL, weights=$OUT/$other-at2.json)" \
    --method "attntrace(model=$MODEL, draws=$DRAWS)" --method "flashtrace(model=$MODEL)" \
    --method "input-gradient(model=$MODEL)" --method "mirage(model=$MODEL)" \
    --method "leave-one-out(model=$MODEL)" --method "arc-jsd(model=$MODEL)" --method "attribot(model=$MODEL)" \
    --method "contextcite(model=$MODEL, masks=$MASKS)" --method "selfcite(model=$MODEL, base=\"retrieval(retriever=bm25, query=target)\")" \
    ${LLM:+--method "laquer(llm=\"$LLM\")"} ${HETA:+--method "heta(model=$MODEL)"}
done
