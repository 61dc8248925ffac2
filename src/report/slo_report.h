/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `fathom slo` found, for people and for programs (formats.def).
 */
#ifndef FATHOM_REPORT_SLO_REPORT_H
#define FATHOM_REPORT_SLO_REPORT_H

#include "base/json_out.h"
#include "slo/examine.h"

/* ---- parts ---- */

/* "1 to 4 pods (1 at first), each handles 166 requests a second; ..." */
const char *slo_describe_service(struct arena *arena, const struct slo_service *service);
/* Requests, queue, pods over time in a few lines of characters. */
void slo_write_picture(struct arena *arena, const struct slo_service *service,
                       const struct slo_timeline *timeline, bool ascii, struct text *text);
/* The longest queue of a second, as the objective sees it. */
uint32_t slo_longest_queue(const struct slo_second *second);

#endif
