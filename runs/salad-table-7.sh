#!/bin/sh
# Long-form answers, table 7: checkers on the annotated sentences, the maximum over document sentences but for DocNLI.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs}
name=0
for checker in lexical "nli(premise=sentences)" docnli "nli(model=tals/albert-xlarge-vitaminc-mnli, premise=sentences)" "true(premise=sentences)"; do
  name=$((name + 1))
  citewell bench run salad --data "$DATA" --checker "$checker" --out "$OUT/salad-$name"
done
citewell bench report "$OUT" --data "$DATA" ${FORM:-}
