/* SPDX-License-Identifier: Apache-2.0 */
/* Every size, in words and for programs (verify/cover.h). */
#ifndef FATHOM_REPORT_REPORT_SIZES_H
#define FATHOM_REPORT_REPORT_SIZES_H

#include "report/report.h"

/* For which numbers of nodes it holds: "for every number of nodes from 1 on". */
const char *report_sizes_held(struct arena *arena, const struct report *report);
/* With which numbers of nodes the same happens as in the counterexample; NULL: that is not known.
 */
const char *report_sizes_violated(struct arena *arena, const struct report *report,
                                  const struct verify_result *result);
/* "sizes": how far sizes are covered, and by which regions; nothing where all groups have a
 * maximum.
 */
void report_sizes_json(struct json_out *json, const struct report *report);

#endif
