#!/bin/sh
# Long-form answers, table 7: checkers on the annotated sentences.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs}
for checker in lexical nli docnli true; do
  citewell bench run salad --data "$DATA" --checker "$checker" --out "$OUT/salad-$checker"
done
citewell bench report "$OUT" --data "$DATA" ${FORM:-}
