/* SPDX-License-Identifier: Apache-2.0 */
/* The HorizontalPodAutoscaler's decision for people: what it decides, by which
 * metric and rule, what held it back; in sentences and as JSON. */
#ifndef FATHOM_DECIDE_CONTROLLER_HPA_EXPLAIN_H
#define FATHOM_DECIDE_CONTROLLER_HPA_EXPLAIN_H

#include "base/text.h"
#include "decide/controller/hpa_text.h"

void hpa_explain(struct arena *arena, const struct hpa_sync *sync, struct text *sentences);

/* Members of the mapping that is open. */
void hpa_explain_json(struct arena *arena, const struct hpa_sync *sync, struct json_out *json);

#endif
