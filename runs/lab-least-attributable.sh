#!/bin/sh
# LAB, section 5.3: the 50 least attributable responses of citation on QASPER and WiCE, from the runs of lab-table-3.sh.
set -eu
DATA=${1:?folder of the data sets} OUT=${2:?folder of the runs of lab-table-3.sh} CHECKER=${CHECKER:-true}
for task in qasper wice; do
  citewell papers lab sheet "$OUT/$task-citation" --data "$DATA" --checker "$CHECKER" --least --number 50 --out "$OUT/$task-least.csv" ${FORM:-}
done
