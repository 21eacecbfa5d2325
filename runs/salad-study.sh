#!/bin/sh
# Long-form answers, sections 3 to 6 and appendices B and C: the study as one page.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the study}
citewell papers lfqa --data "$DATA" --out "$OUT"
