/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The published models, by the names of their own constants
 * (`Processing_Time_Per_Req_In_Ms`, `QL_Max_Limit`, ...), and what a line of the
 * data sets asks of them.
 */
#ifndef FATHOM_SLO_PUBLISHED_H
#define FATHOM_SLO_PUBLISHED_H

#include "base/error.h"
#include "base/json_out.h"
#include "manifest/document.h"
#include "slo/slo.h"

enum published_model { PUBLISHED_NGINX, PUBLISHED_NODEJS };

struct published_parameters {
#define PARAMETER(member, name, nginx, nodejs, least) int64_t member;
#include "slo/published.def"
#undef PARAMETER
};

/* The values that the published files have. */
struct published_parameters published_defaults(enum published_model model);

/* The derived constants, with the rounding of the published files. False, with a
 * problem at `place`, if the parameters do not fit together. */
bool published_service(struct arena *arena, enum published_model model,
                       const struct published_parameters *parameters, struct place place,
                       struct slo_service *service, struct problems *problems);

/* The member "model" and "parameters" of a line. */
bool published_read(struct arena *arena, const struct value *scenario, struct slo_service *service,
                    struct problems *problems);

#endif
