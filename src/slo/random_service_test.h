/* SPDX-License-Identifier: Apache-2.0 */
/* Random small services under the real autoscaler, for tests of src/slo. */
#ifndef FATHOM_SLO_RANDOM_SERVICE_TEST_H
#define FATHOM_SLO_RANDOM_SERVICE_TEST_H

#include "decide/controller/random_test.h"
#include "slo/hpa.h"

#include <string.h>

enum { DRAWN_RATE_MOST = 2 };

static struct dice dice;

static uint32_t draw(uint32_t least, uint32_t most)
{
    return (uint32_t)dice_between(&dice, least, most);
}

struct drawn {
    struct slo_service service;
    struct slo_hpa hpa;
    struct scaling_rules up, down;
    struct scaling_policy policies[2];
    uint32_t rates[3];
    bool low[3];
};

static void draw_behavior(struct drawn *drawn)
{
    drawn->policies[0] =
        (struct scaling_policy){SCALING_PODS, (int32_t)draw(1, 2), (int32_t)draw(1, 6)};
    drawn->policies[1] =
        (struct scaling_policy){SCALING_PERCENT, (int32_t)draw(20, 100), (int32_t)draw(1, 6)};
    drawn->up =
        (struct scaling_rules){.stabilization_window_seconds = {true, (int64_t)draw(0, 1) * 4},
                               .policies = drawn->policies,
                               .policy_count = 2};
    drawn->down =
        (struct scaling_rules){.stabilization_window_seconds = {true, (int64_t)draw(0, 1) * 5},
                               .policies = drawn->policies + 1,
                               .policy_count = 1};
    drawn->hpa.scale_up = &drawn->up;
    drawn->hpa.scale_down = &drawn->down;
}

static void draw_service(struct drawn *drawn)
{
    memset(drawn, 0, sizeof(*drawn));
    drawn->hpa = (struct slo_hpa){
        .features = features_of_version(26),
        .flags = hpa_default_flags(),
        .metric = {.source = METRIC_RESOURCE,
                   .target = HPA_TARGET_UTILIZATION,
                   .target_value = (int64_t)draw(2, 10) * 10,
                   .cpu = true},
        .request = {NULL, 100},
        .busy_milli = (int64_t)draw(1, 2) * 100,
        .sync_period = draw(1, 4),
        .resolution = draw(1, 4),
    };
    drawn->hpa.flags.downscale_window = draw(0, 1) ? 0 : INT64_C(5000000000);
    drawn->hpa.delay = draw(0, drawn->hpa.resolution - 1);
    if (draw(0, 2) == 0)
        draw_behavior(drawn);
    struct slo_service *service = &drawn->service;
    *service = (struct slo_service){
        .rule = SLO_HORIZONTAL_POD_AUTOSCALER,
        .queue_most = draw(1, 5),
        .handled = draw(1, 2),
        .pods_min = draw(1, 2),
        .startup = draw(0, 3),
        .balancing = draw(0, 2) ? SLO_ROUND_ROBIN : SLO_LEAST_LOADED,
        .divisor = 1,
        .hpa = &drawn->hpa,
    };
    service->pods_max = draw(service->pods_min, 3);
    service->pods_initial = draw(service->pods_min, service->pods_max);
    const uint32_t positions = draw(1, 3);
    for (uint32_t i = 0; i < positions; i++)
        drawn->rates[i] = draw(0, DRAWN_RATE_MOST + 1) ? DRAWN_RATE_MOST : 1;
    service->load = (struct slo_load){
        drawn->rates, drawn->low, positions, draw(0, positions - 1), draw(0, 4) ? UINT32_MAX : 1,
        UINT32_MAX};
}

#endif
