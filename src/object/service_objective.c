/* SPDX-License-Identifier: Apache-2.0 */
#include "object/service_objective.h"

#include "object/check_values.h"
#include "object/kind.h"
#include "object/names.h"
#include "object/schemas.h"

#include <inttypes.h>
#include <string.h>

#define MILLISECOND INT64_C(1000000)
#define SECOND      INT64_C(1000000000)
#define MINUTE      (60 * SECOND)

enum { PODS_MOST = 1000, RATE_MOST = 10000000, QUEUE_MOST = 1000000000 };

/* ---- objective ---- */

static const struct field objective_fields[] = {
    FIELD_OPTIONAL_INT("maxQueue", service_objective, max_queue, 0, QUEUE_MOST),
    FIELD_DURATION("maxResponseTime", service_objective, max_response_time_ns, 0),
};
static const struct schema objective_schema = SCHEMA_STRICT(service_objective, objective_fields);

static const struct field named_objective_fields[] = {
    FIELD_STRING("description", named_objective, description, 0),
    FIELD_STRING("displayName", named_objective, display_name, 0),
    FIELD_STRING("name", named_objective, name, 0),
    FIELD_DOUBLE("objective", named_objective, objective),
    FIELD_STRING("op", named_objective, op, 0),
    FIELD_DOUBLE("target", named_objective, target),
    FIELD_DOUBLE("targetPercent", named_objective, target_percent),
    {.name = "value",
     .type = FIELD_TYPE_DOUBLE,
     .flags = FIELD_REQUIRED,
     .offset = FIELD_OFFSET(named_objective, value, double)},
};
static const struct schema named_objective_schema =
    SCHEMA_STRICT(named_objective, named_objective_fields);

/* ---- service, pods ---- */

static const struct field service_fields[] = {
    FIELD_INT32("concurrency", service_objective, concurrency, 0, 1, QUEUE_MOST, 1),
    FIELD_DURATION("podStartup", service_objective, pod_startup_ns, -1),
    FIELD_DURATION("processingTime", service_objective, processing_time_ns, 0),
};
static const struct schema service_schema = SCHEMA_STRICT(service_objective, service_fields);

static const struct field pods_fields[] = {
    FIELD_OPTIONAL_INT("initial", service_objective, pods_initial, 1, PODS_MOST),
    FIELD_OPTIONAL_INT("max", service_objective, pods_max, 1, PODS_MOST),
    FIELD_OPTIONAL_INT("min", service_objective, pods_min, 1, PODS_MOST),
};
static const struct schema pods_schema = SCHEMA_STRICT(service_objective, pods_fields);

/* ---- load ---- */

static const struct field constant_fields[] = {
    FIELD_INT32("maxRequestsPerSecond", service_load_constant, most, FIELD_REQUIRED, 0, RATE_MOST,
                0),
};
static const struct schema constant_schema = SCHEMA_STRICT(service_load_constant, constant_fields);

static const struct field point_fields[] = {
    FIELD_DURATION("from", service_load_point, from_ns, -1),
    FIELD_INT32("maxRequestsPerSecond", service_load_point, most, FIELD_REQUIRED, 0, RATE_MOST, 0),
};
static const struct schema point_schema = SCHEMA_STRICT(service_load_point, point_fields);

static const struct field ramp_fields[] = {
    FIELD_OPTIONAL_INT("maxDecreasePerSecond", service_load_ramp, decrease, 1, RATE_MOST),
    FIELD_OPTIONAL_INT("maxIncreasePerSecond", service_load_ramp, increase, 1, RATE_MOST),
};
static const struct schema ramp_schema = SCHEMA_STRICT(service_load_ramp, ramp_fields);

static const struct field wave_fields[] = {
    FIELD_INT32("high", service_load_wave, high, FIELD_REQUIRED, 0, RATE_MOST, 0),
    FIELD_DURATION("highFor", service_load_wave, high_for_ns, -1),
    FIELD_INT32("low", service_load_wave, low, FIELD_REQUIRED, 0, RATE_MOST, 0),
    FIELD_DURATION("lowFor", service_load_wave, low_for_ns, -1),
};
static const struct schema wave_schema = SCHEMA_STRICT(service_load_wave, wave_fields);

static const struct field load_fields[] = {
    FIELD_POINTER("constant", service_load, constant, 0, constant_schema),
    FIELD_LIST("envelope", service_load, envelope, envelope_count, 0, point_schema),
    FIELD_POINTER("ramp", service_load, ramp, 0, ramp_schema),
    FIELD_DURATION("repeatEvery", service_load, repeat_every_ns, 0),
    FIELD_POINTER("squareWave", service_load, wave, 0, wave_schema),
};
static const struct schema load_schema = SCHEMA_STRICT(service_load, load_fields);

/* ---- autoscaler ---- */

static const struct enum_name rule_names[] = {
    {"queueThreshold", RULE_QUEUE_THRESHOLD},
    {"horizontalPodAutoscaler", RULE_HORIZONTAL_POD_AUTOSCALER},
    {0},
};
static const struct enum_name model_names[] = {
    {"nginx", THRESHOLD_NGINX}, {"nodejs", THRESHOLD_NODEJS}, {0}};
static const struct enum_name defects_names[] = {
    {"published", DEFECTS_PUBLISHED}, {"intended", DEFECTS_INTENDED}, {0}};
static const struct enum_name balancing_names[] = {
    {"roundRobin", BALANCING_ROUND_ROBIN}, {"leastLoaded", BALANCING_LEAST_LOADED}, {0}};

static const struct field threshold_fields[] = {
    FIELD_DURATION("checkInterval", service_threshold, check_interval_ns, 15 * SECOND),
    FIELD_ENUM("defects", service_threshold, defects, 0, defects_names, DEFECTS_PUBLISHED),
    FIELD_ENUM("model", service_threshold, model, FIELD_REQUIRED, model_names, THRESHOLD_NGINX),
    FIELD_INT32("scaleDown", service_threshold, scale_down, 0, 0, 1000, 20),
    FIELD_INT32("scaleUp", service_threshold, scale_up, 0, 0, 1000, 80),
};
static const struct schema threshold_schema = SCHEMA_STRICT(service_threshold, threshold_fields);

static void decode_tolerance(struct reading *reading, const struct path *path,
                             const struct value *value, void *base)
{
    number_decode(reading, path, value, 0,
                  &((struct service_autoscaler_settings *)base)->tolerance);
}

static void encode_tolerance(struct arena *scratch, struct json_out *json, const char *key,
                             const void *base)
{
    (void)scratch;
    json_number(json, key, ((const struct service_autoscaler_settings *)base)->tolerance);
}

static void init_tolerance(void *base)
{
    ((struct service_autoscaler_settings *)base)->tolerance = 0.1;
}

static const struct field_hook tolerance_hook = {.decode = decode_tolerance,
                                                 .encode = encode_tolerance,
                                                 .init = init_tolerance,
                                                 .shape = "{\"type\":\"number\",\"minimum\":0}"};

static const struct field settings_fields[] = {
    FIELD_QUANTITY_POINTER("cpuWhenBusy", service_autoscaler_settings, cpu_when_busy),
    FIELD_DURATION("downscaleStabilization", service_autoscaler_settings,
                   downscale_stabilization_ns, 5 * MINUTE),
    FIELD_DURATION("metricsDelay", service_autoscaler_settings, metrics_delay_ns, 0),
    FIELD_DURATION("metricsResolution", service_autoscaler_settings, metrics_resolution_ns,
                   15 * SECOND),
    FIELD_STRING("name", service_autoscaler_settings, name, 0),
    FIELD_DURATION("syncPeriod", service_autoscaler_settings, sync_period_ns, 15 * SECOND),
    FIELD_HOOK("tolerance", tolerance_hook),
};
static const struct schema settings_schema =
    SCHEMA_STRICT(service_autoscaler_settings, settings_fields);

static const struct field autoscaler_fields[] = {
    FIELD_POINTER("horizontalPodAutoscaler", service_autoscaler, settings, 0, settings_schema),
    FIELD_POINTER("queueThreshold", service_autoscaler, threshold, 0, threshold_schema),
    FIELD_ENUM("rule", service_autoscaler, rule, FIELD_REQUIRED, rule_names, RULE_UNSET),
};
static const struct schema autoscaler_schema = SCHEMA_STRICT(service_autoscaler, autoscaler_fields);

/* ---- the whole ---- */

static const struct field abstraction_fields[] = {
    FIELD_OPTIONAL_INT("queueLimit", service_objective, queue_limit, 1, QUEUE_MOST),
};
static const struct schema abstraction_schema =
    SCHEMA_STRICT(service_objective, abstraction_fields);

static const struct field spec_fields[] = {
    FIELD_NESTED("abstraction", 0, abstraction_schema),
    FIELD_STRUCT("autoscaler", service_objective, autoscaler, FIELD_REQUIRED, autoscaler_schema),
    FIELD_STRUCT("load", service_objective, load, FIELD_REQUIRED, load_schema),
    FIELD_ENUM("loadBalancing", service_objective, balancing, 0, balancing_names, BALANCING_UNSET),
    FIELD_STRINGS("manifests", service_objective, manifests, 0),
    FIELD_NESTED("objective", 0, objective_schema),
    FIELD_LIST("objectives", service_objective, objectives, objective_count, 0,
               named_objective_schema),
    FIELD_NESTED("pods", 0, pods_schema),
    FIELD_NESTED("service", FIELD_REQUIRED, service_schema),
};
static const struct schema spec_schema = SCHEMA_STRICT(service_objective, spec_fields);

static const struct field fields[] = {
    FIELD_STRUCT("metadata", service_objective, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", FIELD_REQUIRED, spec_schema),
};
static const char *const type_fields[] = {"apiVersion", "kind", NULL};
static const struct schema schema = SCHEMA_STRICT_COMPLETE(service_objective, fields, type_fields);

/* The chosen rule gets settings, with default values if none are given. Shares
 * are whole numbers of requests; validation reports one that is not. */
static void set_defaults(struct arena *arena, void *object)
{
    struct service_objective *objective = object;
    struct service_autoscaler *autoscaler = &objective->autoscaler;
    for (uint32_t i = 0; i < objective->objective_count; i++) {
        objective->objectives[i].target = 1;
        objective->objectives[i].target_percent = 100;
        objective->objectives[i].objective = 100;
    }
    if (autoscaler->rule == RULE_HORIZONTAL_POD_AUTOSCALER && !autoscaler->settings)
        autoscaler->settings = schema_new(arena, &settings_schema);
}

/* ---- validation ---- */

static bool is_given(const struct reading *reading, const struct path *path)
{
    return !value_is_null(path_value(reading->root, path));
}

/* A time in whole units of at least `least` of them. A fallback of -1 says that
 * it must be given. */
static void validate_time(struct reading *reading, const struct path *parent, const char *name,
                          int64_t time, int64_t unit, int64_t least, int64_t most)
{
    const struct path path = path_field(parent, name);
    const char *unit_name = unit == SECOND ? "seconds" : "milliseconds";
    if (!is_given(reading, &path) && time < 0)
        reading_missing(reading, &path);
    else if (time % unit != 0 || time < least * unit || time > most * unit)
        reading_error(reading, &path, "expected whole %s from %" PRId64 " to %" PRId64, unit_name,
                      least, most);
}

static void validate_named_objective(struct reading *reading, const struct path *path,
                                     const struct named_objective *objective)
{
    const struct path op = path_field(path, "op");
    const struct path value = path_field(path, "value");
    static const struct {
        const char *name;
        double wanted;
    } shares[] = {{"target", 1}, {"targetPercent", 100}, {"objective", 100}};
    if (objective->op && strcmp(objective->op, "lte") != 0 && strcmp(objective->op, "lt") != 0)
        reading_error(reading, &op, "expected lte or lt, found \"%s\"", objective->op);
    if (objective->value <= 0 || objective->value > 1e6)
        reading_error(reading, &value, "expected seconds above 0");
    for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
        const struct path share = path_field(path, shares[i].name);
        const struct value *found = path_value(reading->root, &share);
        double number = shares[i].wanted;
        if (!value_is_null(found) && value_read_number(found, &number) &&
            (number < shares[i].wanted || number > shares[i].wanted))
            reading_error(reading, &share,
                          "expected %g: every request has to keep the objective, shares of them "
                          "are not judged",
                          shares[i].wanted);
    }
}

static void validate_objective(struct reading *reading, const struct path *spec,
                               const struct service_objective *objective)
{
    const struct path own = path_field(spec, "objective");
    const struct path named = path_field(spec, "objectives");
    const struct path time = path_field(&own, "maxResponseTime");
    const struct path queue = path_field(&own, "maxQueue");
    const int ways =
        is_given(reading, &time) + is_given(reading, &queue) + (objective->objective_count > 0);
    if (ways == 0)
        reading_missing(reading, &own);
    else if (ways > 1)
        reading_error(reading, is_given(reading, &own) ? &own : &named,
                      "expected one of maxResponseTime, maxQueue and objectives");
    if (objective->objective_count > 1)
        reading_error(reading, &named, "expected one objective, found %u",
                      objective->objective_count);
    if (is_given(reading, &time))
        validate_time(reading, &own, "maxResponseTime", objective->max_response_time_ns,
                      MILLISECOND, 1, 1000000000);
    for (uint32_t i = 0; i < objective->objective_count; i++) {
        const struct path item = path_item(&named, i);
        validate_named_objective(reading, &item, &objective->objectives[i]);
    }
}

static void validate_service(struct reading *reading, const struct path *spec,
                             const struct service_objective *objective)
{
    const struct path service = path_field(spec, "service");
    const struct path time = path_field(&service, "processingTime");
    if (!is_given(reading, &time))
        reading_missing(reading, &time);
    else
        validate_time(reading, &service, "processingTime", objective->processing_time_ns,
                      MILLISECOND, 1, 1000000000);
    validate_time(reading, &service, "podStartup", objective->pod_startup_ns, SECOND, 0, 1000);
}

static void validate_envelope(struct reading *reading, const struct path *load,
                              const struct service_load *given)
{
    const struct path envelope = path_field(load, "envelope");
    const struct path repeat = path_field(load, "repeatEvery");
    int64_t last = -1;
    for (uint32_t i = 0; i < given->envelope_count; i++) {
        const struct path item = path_item(&envelope, i);
        const struct path from = path_field(&item, "from");
        const int64_t at = given->envelope[i].from_ns;
        validate_time(reading, &item, "from", at, SECOND, 0, 500000);
        if (i == 0 && at != 0)
            reading_error(reading, &from, "expected the first from 0s on");
        else if (at >= 0 && at <= last)
            reading_error(reading, &from, "expected a time after the one before");
        last = at;
    }
    if (!is_given(reading, &repeat))
        return;
    if (given->envelope_count == 0)
        reading_error(reading, &repeat, "expected an envelope to repeat");
    validate_time(reading, load, "repeatEvery", given->repeat_every_ns, SECOND, 1, 500000);
    if (given->repeat_every_ns <= last)
        reading_error(reading, &repeat, "expected a time after the last of the envelope");
}

static void validate_load(struct reading *reading, const struct path *spec,
                          const struct service_load *given)
{
    const struct path load = path_field(spec, "load");
    const int ways =
        (given->constant != NULL) + (given->wave != NULL) + (given->envelope_count > 0);
    if (ways != 1)
        reading_error(reading, &load, "expected one of constant, squareWave and envelope");
    validate_envelope(reading, &load, given);
    if (!given->wave)
        return;
    const struct path wave = path_field(&load, "squareWave");
    const struct path low = path_field(&wave, "low");
    validate_time(reading, &wave, "highFor", given->wave->high_for_ns, SECOND, 1, 100000);
    validate_time(reading, &wave, "lowFor", given->wave->low_for_ns, SECOND, 1, 100000);
    if (given->wave->low > given->wave->high)
        reading_error(reading, &low, "expected at most high (%d)", given->wave->high);
}

static void validate_threshold(struct reading *reading, const struct path *spec,
                               const struct service_objective *objective)
{
    const struct service_threshold *threshold = objective->autoscaler.threshold;
    const struct path autoscaler = path_field(spec, "autoscaler");
    const struct path path = path_field(&autoscaler, "queueThreshold");
    if (!threshold) {
        reading_missing(reading, &path);
        return;
    }
    validate_time(reading, &path, "checkInterval", threshold->check_interval_ns, SECOND, 0, 2000);
    const struct path balancing = path_field(spec, "loadBalancing");
    const struct path pods = path_field(spec, "pods");
    const struct path max = path_field(&pods, "max");
    if (!objective->pods_max.set)
        reading_missing(reading, &max);
    if (threshold->defects != DEFECTS_PUBLISHED)
        return;
    if (objective->balancing != BALANCING_UNSET)
        reading_error(reading, &balancing,
                      "the published models share requests in their own way; with "
                      "queueThreshold.defects: intended it can be chosen");
    if (objective->concurrency != 1) {
        const struct path service = path_field(spec, "service");
        const struct path concurrency = path_field(&service, "concurrency");
        reading_error(reading, &concurrency,
                      "the published models handle one request at a time; expected "
                      "queueThreshold.defects: intended");
    }
    const struct path load = path_field(spec, "load");
    const bool fits = threshold->model == THRESHOLD_NGINX ? objective->load.constant != NULL
                                                          : objective->load.wave != NULL;
    if (!fits || objective->load.ramp)
        reading_error(reading, &load,
                      "the published %s model has a %s load only; others need "
                      "queueThreshold.defects: intended",
                      threshold->model == THRESHOLD_NGINX ? "nginx" : "nodejs",
                      threshold->model == THRESHOLD_NGINX ? "constant" : "squareWave");
}

static void validate_autoscaler(struct reading *reading, const struct path *spec,
                                const struct service_objective *objective)
{
    const struct service_autoscaler *given = &objective->autoscaler;
    const struct path autoscaler = path_field(spec, "autoscaler");
    const struct path settings = path_field(&autoscaler, "horizontalPodAutoscaler");
    const struct path threshold = path_field(&autoscaler, "queueThreshold");
    if (given->rule == RULE_QUEUE_THRESHOLD) {
        if (given->settings)
            reading_error(reading, &settings, "is not for the rule queueThreshold");
        validate_threshold(reading, spec, objective);
        return;
    }
    if (given->rule != RULE_HORIZONTAL_POD_AUTOSCALER || !given->settings)
        return;
    if (given->threshold)
        reading_error(reading, &threshold, "is not for the rule horizontalPodAutoscaler");
    validate_time(reading, &settings, "syncPeriod", given->settings->sync_period_ns, SECOND, 1,
                  600);
    validate_time(reading, &settings, "metricsResolution", given->settings->metrics_resolution_ns,
                  SECOND, 1, 600);
    validate_time(reading, &settings, "metricsDelay", given->settings->metrics_delay_ns, SECOND, 0,
                  599);
    validate_time(reading, &settings, "downscaleStabilization",
                  given->settings->downscale_stabilization_ns, SECOND, 0, 3600);
}

static void validate_pods(struct reading *reading, const struct path *spec,
                          const struct service_objective *objective)
{
    const struct path pods = path_field(spec, "pods");
    const struct path min = path_field(&pods, "min");
    const struct path initial = path_field(&pods, "initial");
    if (!objective->pods_max.set)
        return;
    const int64_t most = objective->pods_max.value;
    const int64_t least = objective->pods_min.set ? objective->pods_min.value : 1;
    if (least > most)
        reading_error(reading, &min, "expected at most max (%" PRId64 "), found %" PRId64, most,
                      least);
    else if (objective->pods_initial.set &&
             (objective->pods_initial.value < least || objective->pods_initial.value > most))
        reading_error(reading, &initial,
                      "expected a number from min to max (%" PRId64 " to %" PRId64 ")", least,
                      most);
}

static void validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct service_objective *objective = object;
    const struct path metadata = path_field(path, "metadata");
    const struct path spec = path_field(path, "spec");
    object_meta_validate(reading, &metadata, &objective->meta, NAME_DNS_SUBDOMAIN);
    validate_objective(reading, &spec, objective);
    validate_service(reading, &spec, objective);
    validate_pods(reading, &spec, objective);
    validate_load(reading, &spec, &objective->load);
    validate_autoscaler(reading, &spec, objective);
}

static const struct kind_version versions[] = {
    {"fathom/v1", &schema, NULL},
    {0},
};

const struct kind_type service_objective_kind = {
    .versions = versions,
    .set_defaults = set_defaults,
    .validate = validate,
};
