#!/bin/sh
# Every task whose data is there, with the methods that need no model; one page with all of it.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs} SPLIT=${SPLIT:-dev}
citewell bench tables --data "$DATA" --split "$SPLIT" --out "$OUT" --method lexical --html "$OUT/report.html" ${FORM:-}
