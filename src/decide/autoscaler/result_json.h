/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_DECIDE_AUTOSCALER_RESULT_JSON_H
#define FATHOM_DECIDE_AUTOSCALER_RESULT_JSON_H

#include "decide/autoscaler/autoscaler.h"

/* Parts of a loop's result. */
void scale_down_write(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                      const struct loop_result *result);
void write_pods(struct json_out *json, const char *key,
                const pod_list *pods); /* if there are any */
void write_placed(struct json_out *json, const char *key, const placed_list *placed);

/* What the autoscaler remembers after a loop, under "memory". */
void memory_write(struct json_out *json, const struct cluster_autoscaler *autoscaler);

/* An instant as seconds from the beginning of the scenario. */
void write_seconds(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                   const char *key, int64_t time);

#endif
