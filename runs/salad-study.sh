#!/bin/sh
# Long-form answers, sections 3 to 7 and appendices A to C: the study as one page. CHECKER=true is the paper's judge;
# ENCODER and LM give figure 4's second half and table 1's perplexity: "dense(model=princeton-nlp/sup-simcse-roberta-large)" and gpt2-xl.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the study} CHECKER=${CHECKER:-lexical}
citewell papers lfqa --data "$DATA" --out "$OUT" --checker "$CHECKER" ${ENCODER:+--encoder "$ENCODER"} ${LM:+--lm "$LM"}
