/* SPDX-License-Identifier: Apache-2.0 */
#include "slo/published.h"

#include "base/suggest.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

struct parameter {
    const char *name;
    size_t offset;
    int64_t defaults[2];
    int64_t least;
};

static const struct parameter parameters_known[] = {
#define PARAMETER(member, name, nginx, nodejs, least) \
    {name, offsetof(struct published_parameters, member), {nginx, nodejs}, least},
#include "slo/published.def"
#undef PARAMETER
};

enum { PARAMETER_COUNT = sizeof(parameters_known) / sizeof(parameters_known[0]) };
/* Larger than every measured value, and the product of two of them fits 64 bits. */
#define PARAMETER_MOST INT64_C(1000000000)

static int64_t *parameter_at(struct published_parameters *parameters, const struct parameter *row)
{
    return (int64_t *)(void *)((char *)parameters + row->offset);
}

struct published_parameters published_defaults(enum published_model model)
{
    struct published_parameters parameters;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        *parameter_at(&parameters, &parameters_known[i]) = parameters_known[i].defaults[model];
    return parameters;
}

/* ---- derived constants ---- */

static bool in_range(const struct published_parameters *parameters, struct place place,
                     struct problems *problems)
{
    const struct {
        const char *name;
        int64_t value, most;
    } bounds[] = {
        {"Pod_Max", parameters->pod_max, SLO_PODS_MOST},
        {"Pod_Startup_Time", parameters->pod_startup, SLO_STARTUP_MOST},
        {"HPA_Check_Interval", parameters->check_interval, SLO_INTERVAL_MOST},
        {"RPS_Max_Actual", parameters->rate, SLO_RATE_MOST},
        {"RPS_Max_High", parameters->rate_high, SLO_RATE_MOST},
        {"T_High", parameters->seconds_high, SLO_POSITIONS_MOST / 8},
        {"T_Low", parameters->seconds_low, SLO_POSITIONS_MOST / 8},
    };
    const uint32_t errors = problems->errors;
    for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
        if (bounds[i].value > bounds[i].most)
            problem_error(problems, place, bounds[i].name,
                          "expected at most %" PRId64 ", found %" PRId64, bounds[i].most,
                          bounds[i].value);
    if (parameters->pod_min > parameters->pods_initially ||
        parameters->pods_initially > parameters->pod_max)
        problem_error(problems, place, "Pods_Initially_On",
                      "expected a number from Pod_Min (%" PRId64 ") to Pod_Max (%" PRId64
                      "), found %" PRId64,
                      parameters->pod_min, parameters->pod_max, parameters->pods_initially);
    if (parameters->rate_low > parameters->rate_high)
        problem_error(problems, place, "RPS_Max_Low",
                      "expected at most RPS_Max_High (%" PRId64 "), found %" PRId64,
                      parameters->rate_high, parameters->rate_low);
    return problems->errors == errors;
}

/* The wave of the Node.js file, in which high and low are taken for each other
 * when they change: high, high, low, high, low, ... Where the rates are equal
 * the first and the third stretch are the same states. */
static bool published_wave(struct arena *arena, const struct published_parameters *parameters,
                           struct slo_load *load)
{
    const uint32_t high = (uint32_t)parameters->rate_high;
    const uint32_t low = (uint32_t)parameters->rate_low;
    const uint32_t high_seconds = (uint32_t)parameters->seconds_high + 1;
    const uint32_t low_seconds = (uint32_t)parameters->seconds_low + 1;
    const struct slo_phase phases[] = {
        {high, high_seconds, false},
        {high, low_seconds, true},
        {low, high_seconds, false},
    };
    if (high == low)
        return slo_load_build(arena, phases, 2, 0, load);
    return slo_load_build(arena, phases, 3, 1, load);
}

bool published_service(struct arena *arena, enum published_model model,
                       const struct published_parameters *parameters, struct place place,
                       struct slo_service *service, struct problems *problems)
{
    if (!in_range(parameters, place, problems))
        return false;
    const int64_t queue_actual = parameters->response_ms / parameters->processing_ms;
    int64_t queue_most = queue_actual;
    int64_t divisor = 1;
    if (model == PUBLISHED_NGINX) {
        queue_most =
            queue_actual < parameters->queue_limit ? queue_actual : parameters->queue_limit;
        if (queue_most == 0) {
            problem_error(problems, place, "Max_Response_Time_In_Ms",
                          "expected at least Processing_Time_Per_Req_In_Ms (%" PRId64
                          "), found %" PRId64,
                          parameters->processing_ms, parameters->response_ms);
            return false;
        }
        divisor = queue_actual / queue_most;
    }
    const int64_t up = queue_most * parameters->up_percent / 100;
    const int64_t down = queue_most * parameters->down_percent / 100;
    *service = (struct slo_service){
        .rule = SLO_QUEUE_THRESHOLD,
        .queue_most = (uint32_t)queue_most,
        .handled = (uint32_t)(1000 / parameters->processing_ms / divisor),
        .pods_initial = (uint32_t)parameters->pods_initially,
        .pods_min = (uint32_t)parameters->pod_min,
        .pods_max = (uint32_t)parameters->pod_max,
        .startup = (uint32_t)parameters->pod_startup,
        .balancing = model == PUBLISHED_NGINX ? SLO_EVEN : SLO_ROUND_ROBIN_PUBLISHED,
        .interval = (uint32_t)parameters->check_interval,
        .up = up < UINT32_MAX ? (uint32_t)up : UINT32_MAX,
        .down = down < UINT32_MAX ? (uint32_t)down : UINT32_MAX,
        .divisor = (uint32_t)divisor,
    };
    if (model == PUBLISHED_NODEJS)
        return published_wave(arena, parameters, &service->load);
    const struct slo_phase constant = {(uint32_t)(parameters->rate / divisor), 1, true};
    return slo_load_build(arena, &constant, 1, 0, &service->load);
}

/* ---- a line of the data sets ---- */

static bool read_model(const struct value *scenario, enum published_model *model,
                       struct problems *problems)
{
    const struct value *value = value_find(scenario, "model");
    const char *name = value_find_string(scenario, "model");
    if (name && strcmp(name, "nginx") == 0)
        *model = PUBLISHED_NGINX;
    else if (name && strcmp(name, "nodejs") == 0)
        *model = PUBLISHED_NODEJS;
    else if (value)
        value_expected(problems, value, "model", "\"nginx\" or \"nodejs\"");
    else
        problem_error(problems, value_place(scenario), "model",
                      "expected \"nginx\" or \"nodejs\", found nothing");
    return name && problems->errors == 0;
}

static void unknown_parameter(struct arena *arena, enum published_model model,
                              const struct value *mapping, const struct member *member,
                              struct problems *problems)
{
    struct suggestion suggestion = {.word = member->key};
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (parameters_known[i].defaults[model] >= 0)
            suggestion_offer(&suggestion, parameters_known[i].name);
    problem_error(
        problems, member_place(mapping, member), arena_printf(arena, "parameters.%s", member->key),
        "unknown parameter of the %s model%s%s%s", model == PUBLISHED_NGINX ? "nginx" : "nodejs",
        suggestion.nearest ? ", did you mean \"" : "", suggestion.nearest ? suggestion.nearest : "",
        suggestion.nearest ? "\"?" : "");
}

static void read_parameter(struct arena *arena, enum published_model model,
                           const struct value *mapping, const struct member *member,
                           struct published_parameters *parameters, struct problems *problems)
{
    /* Every file has this constant, and none uses it. */
    if (strcmp(member->key, "Scale_Amount") == 0)
        return;
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        const struct parameter *row = &parameters_known[i];
        int64_t number = 0;
        if (strcmp(row->name, member->key) != 0 || row->defaults[model] < 0)
            continue;
        if (value_read_integer(&member->value, &number) && number >= row->least &&
            number <= PARAMETER_MOST)
            *parameter_at(parameters, row) = number;
        else
            value_expected(problems, &member->value,
                           arena_printf(arena, "parameters.%s", row->name),
                           arena_printf(arena, "a whole number from %" PRId64 " to %" PRId64,
                                        row->least, PARAMETER_MOST));
        return;
    }
    unknown_parameter(arena, model, mapping, member, problems);
}

bool published_read(struct arena *arena, const struct value *scenario, struct slo_service *service,
                    struct problems *problems)
{
    const uint32_t errors = problems->errors;
    enum published_model model = PUBLISHED_NGINX;
    const struct value *mapping = value_find(scenario, "parameters");
    if (!read_model(scenario, &model, problems))
        return false;
    if (!mapping)
        problem_error(problems, value_place(scenario), "parameters",
                      "expected the model's constants, found nothing");
    else if (mapping->kind != VALUE_MAPPING)
        value_expected(problems, mapping, "parameters", "the model's constants (a mapping)");
    if (!mapping || problems->errors != errors)
        return false;
    struct published_parameters parameters = published_defaults(model);
    VALUE_EACH_MEMBER(mapping, member)
    read_parameter(arena, model, mapping, member, &parameters, problems);
    return problems->errors == errors &&
           published_service(arena, model, &parameters, value_place(mapping), service, problems);
}
