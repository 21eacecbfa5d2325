#!/bin/sh
# LAB, table 1: instances, words and evidence of the data sets at hand.
set -eu
DATA=${1:?folder of the data sets}
citewell papers lab data --data "$DATA" ${FORM:-}
