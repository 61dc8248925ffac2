/* SPDX-License-Identifier: Apache-2.0 */
/* How far a shard got, for whoever watches it. There is no verdict before the join. */
#include "report/formats.h"
#include "report/shard_report.h"

#include <inttypes.h>

/* The setups of the shard, whether or not they were explored. */
static uint64_t own_setups(const struct shard *shard, uint64_t setups)
{
    return setups > shard->number ? (setups - shard->number - 1) / shard->count + 1 : 0;
}

void shard_write_text(const struct writer_context *how, const struct shard_report *report,
                      struct text *text)
{
    (void)how;
    for (uint32_t c = 0; c < report->check_count; c++) {
        const struct shard_log *log = &report->checks[c].log;
        uint32_t violating = 0;
        for (uint32_t i = 0; i < log->outcomes.count; i++)
            violating += log->outcomes.items[i].violated != 0;
        text_printf(text,
                    "Shard %u of %u, Check %s: %u of %" PRIu64
                    " setups explored, %u of them %s an intent; fathom join has the verdict\n",
                    report->shard.number + 1, report->shard.count, report->checks[c].name,
                    log->outcomes.count, own_setups(&report->shard, log->setups), violating,
                    violating == 1 ? "violates" : "violate");
    }
}
