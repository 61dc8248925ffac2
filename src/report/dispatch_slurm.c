/* SPDX-License-Identifier: Apache-2.0 */
/* An sbatch file: one task of an array for each shard. The files are those of the folder in which
 * it is submitted, which all hosts of a Slurm cluster usually see. */
#include "base/shell_word.h"
#include "report/dispatch.h"

#include <inttypes.h>

enum { MEBIBYTE = 1 << 20 };

const char *dispatch_memory(struct arena *arena, const struct dispatch *dispatch)
{
    return arena_printf(arena, "%" PRIu64 "Mi", dispatch->memory_bytes / MEBIBYTE / 5 * 4);
}

void dispatch_write_slurm(struct arena *arena, const struct dispatch *dispatch, struct text *text)
{
    const char *name = dispatch->name;
    text_printf(
        text,
        "#!/bin/sh\n"
        "# A verification over %u tasks. From the folder of its files:\n"
        "#\n"
        "#   sbatch --wait %s.sbatch\n"
        "#   fathom join %s-*.json\n"
        "#\n"
        "# A task that failed is submitted again by its number: sbatch --array=3 %s.sbatch\n"
        "# $FATHOM is the program, if it is not found by the name fathom.\n"
        "#SBATCH --job-name=%s\n"
        "#SBATCH --array=1-%u\n"
        "#SBATCH --cpus-per-task=%u\n"
        "#SBATCH --mem=%" PRIu64 "M\n"
        "#SBATCH --output=%s-%%a.log\n"
        "set -e\n"
        "cd \"${SLURM_SUBMIT_DIR:-.}\"\n"
        "# What one task finds violated, no other judges in larger setups.\n"
        "mkdir -p %s-notes\n"
        "exec \"${FATHOM:-fathom}\" verify",
        dispatch->shards, name, name, name, name, dispatch->shards, dispatch->cpus,
        dispatch->memory_bytes / MEBIBYTE, name, name);
    for (uint32_t i = 0; i < dispatch->arguments.count; i++)
        text_printf(text, " %s", shell_word(arena, dispatch->arguments.items[i]));
    text_printf(text,
                " \\\n"
                "  --jobs=%u --memory=%s --quiet --no-config --progress=never \\\n"
                "  --shard=auto/%u --shard-notes=%s-notes \\\n"
                "  --output=json=%s-\"$SLURM_ARRAY_TASK_ID\".json\n",
                dispatch->cpus, dispatch_memory(arena, dispatch), dispatch->shards, name, name);
}
