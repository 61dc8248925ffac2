/* SPDX-License-Identifier: Apache-2.0 */
/* Words for verdicts, and the statistics of a run in text and JSON, both made
 * from statistics.def. */
#include "explore/explore.h"

#include <inttypes.h>

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
    case EXPLORE_UNRESUMED: return "the checkpoint does not fit";
    case EXPLORE_OMISSION: return "a state may have been left out";
    }
    return "unknown";
}

static double per(double amount, double by)
{
    return by > 0 ? amount / by : 0;
}

static double bytes_per_state(const struct statistics *statistics)
{
    return per((double)statistics->store_bytes, (double)statistics->states);
}

static double states_per_second(const struct statistics *statistics)
{
    return per((double)statistics->states, statistics->search_seconds);
}

/* One writer for each type that a statistic may have. */
static void write_text_uint64_t(struct text *text, const char *name, uint64_t value,
                                const char *unit)
{
    text_printf(text, "%-18s %14" PRIu64 " %s\n", name, value, unit);
}

static void write_text_double(struct text *text, const char *name, double value, const char *unit)
{
    text_printf(text, "%-18s %14.3f %s\n", name, value, unit);
}

void explore_write_text(const struct exploration *exploration, const struct model *model,
                        struct text *text)
{
    const struct statistics *statistics = &exploration->statistics;
#define STATISTIC(name, type, unit, help) write_text_##type(text, #name, statistics->name, unit);
#include "explore/statistics.def"
#undef STATISTIC
    write_text_double(text, "bytes_per_state", bytes_per_state(statistics), "bytes");
    write_text_double(text, "states_per_second", states_per_second(statistics), "/s");
    if (exploration->omission_probability > 0)
        text_printf(text, "%-18s %14.3g\n", "omission", exploration->omission_probability);
    for (uint32_t i = 0; exploration->complete && i < exploration->action_count; i++) {
        if (exploration->action_fired[i] == 0)
            text_printf(text, "never fired: %s\n", model->actions[i]);
    }
}

void explore_write_json(const struct exploration *exploration, const struct model *model,
                        struct json_out *json)
{
    const struct statistics *statistics = &exploration->statistics;
#define json_uint64_t                     json_unsigned
#define json_double                       json_number
#define STATISTIC(name, type, unit, help) json_##type(json, #name, statistics->name);
#include "explore/statistics.def"
#undef STATISTIC
#undef json_uint64_t
#undef json_double
    json_number(json, "bytes_per_state", bytes_per_state(statistics));
    json_number(json, "states_per_second", states_per_second(statistics));
    json_boolean(json, "complete", exploration->complete);
    if (!exploration->complete)
        json_string(json, "ended_by", explore_reason_text(exploration->reason));
    if (exploration->omission_probability > 0)
        json_number(json, "omission_probability", exploration->omission_probability);
    json_array_begin(json, "actions_never_fired");
    for (uint32_t i = 0; exploration->complete && i < exploration->action_count; i++) {
        if (exploration->action_fired[i] == 0)
            json_string(json, NULL, model->actions[i]);
    }
    json_array_end(json);
}
