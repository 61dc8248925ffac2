#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs `fathom verify` as pipelines want it: reports beside the text, and the exit code last.
#
#   run_in_ci.sh PATH ...
#
# FATHOM (the program, "fathom"), FATHOM_TIMEOUT ("10m"), FATHOM_FAIL_ON ("error"), FATHOM_BASELINE (a report from
# before), FATHOM_REPORTS (the folder for reports, "."), FATHOM_ARGUMENTS (more options),
# FATHOM_UNDECIDED ("warn": what is undecided does not fail the pipeline; "fail").
set -u
reports=${FATHOM_REPORTS:-.}
mkdir -p "$reports"
if [ -n "${FATHOM_BASELINE:-}" ]; then
    set -- "$@" --baseline "$FATHOM_BASELINE"
fi
# shellcheck disable=SC2086 # several options
"${FATHOM:-fathom}" verify "$@" ${FATHOM_ARGUMENTS:-} \
    --timeout "${FATHOM_TIMEOUT:-10m}" --fail-on "${FATHOM_FAIL_ON:-error}" \
    -o text -o "sarif=$reports/fathom.sarif" -o "junit=$reports/fathom.xml" \
    -o "gitlab=$reports/fathom-quality.json" -o "json=$reports/fathom.json"
code=$?
if [ $code -eq 3 ] && [ "${FATHOM_UNDECIDED:-warn}" = warn ]; then
    echo "fathom: something is undecided (exit code 3), which does not fail this pipeline" >&2
    code=0
fi
exit $code
