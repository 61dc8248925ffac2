/* SPDX-License-Identifier: Apache-2.0 */
/* Words for verdicts and for the reasons of undecided ones. */
#include "explore/explore.h"

const char *verdict_name(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_HOLDS: return "holds";
    case VERDICT_VIOLATED: return "violated";
    case VERDICT_UNDECIDED: return "undecided";
    case VERDICT_HOLDS_PROBABLY: return "holds probably";
    }
    return "undecided";
}

const char *explore_reason_text(enum explore_reason reason)
{
    switch (reason) {
    case EXPLORE_DECIDED: return "decided";
    case EXPLORE_TIME: return "the time limit was reached";
    case EXPLORE_MEMORY: return "the memory limit was reached";
    case EXPLORE_STATES: return "the limit on states was reached";
    case EXPLORE_DEPTH: return "the limit on depth was reached";
    case EXPLORE_INTERRUPTED: return "interrupted";
    case EXPLORE_STOPPED: return "another property was decided first";
    case EXPLORE_UNSUPPORTED: return "not supported in this mode or with this reduction";
    case EXPLORE_UNTESTED: return "no run comes to where this is judged";
    case EXPLORE_BEYOND: return "runs go on beyond what is modelled: something grows without end";
    case EXPLORE_COSTLY: return "the condition of an event costs too much in a state";
    case EXPLORE_FAILED: return "the condition of an event fails in a state";
    case EXPLORE_REFUSED:
        return "a webhook that fails closed does not answer in a state, and would refuse requests "
               "of which that is not modelled";
    case EXPLORE_UNRESUMED: return "the checkpoint does not fit";
    case EXPLORE_OMISSION: return "a state may have been left out";
    }
    return "unknown";
}
