#!/bin/sh
# LAB, tables 4 to 8, figures 3 to 6 and appendix A.3, from the runs of lab-table-3.sh.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs of lab-table-3.sh} CHECKER=${CHECKER:-true}
citewell bench analyze "$OUT" --data "$DATA" --checker "$CHECKER" --plots "$OUT/plots" ${FORM:-}
