/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom fix` for people: what is violated, and the patches. */
#include "report/formats.h"
#include "report/repair_report.h"
#include "report/report.h"

#include <inttypes.h>

static void write_intents(struct arena *arena, const struct repair *repair, struct text *text)
{
    for (uint32_t i = 0; i < repair->before.result_count; i++) {
        const struct verify_result *result = &repair->before.results[i];
        text_printf(text, "  %s: %s", report_intent_label(arena, result->intent),
                    verdict_name(result->verdict));
        if (result->setup)
            text_printf(text, " with %s", report_scale(arena, &repair->plan->scope, result->setup));
        text_append_string(text, "\n");
    }
}

static void write_patches(struct arena *arena, const struct repair *repair, struct text *text)
{
    for (uint32_t i = 0; i < repair->patches.count; i++) {
        const struct repair_patch *patch = &repair->patches.items[i];
        text_printf(text, "\nPatch %u of %u: with it every intent holds in all %" PRIu64 " %s",
                    i + 1, repair->patches.count, patch->setups,
                    patch->setups == 1 ? "setup" : "setups");
        text_append_string(text, repair->intents_kept > 0
                                     ? ", and what held before of the usual intents does still\n"
                                     : "\n");
        repair_patch_text(arena, repair, patch, "  ", text);
    }
}

static void write_weakening(struct arena *arena, const struct repair *repair, struct text *text)
{
    if (repair->weakening.count == 0)
        return;
    text_append_string(
        text, "\nNothing repairs it within the guardrails. These would, and are refused:\n");
    for (uint32_t i = 0; i < repair->weakening.count; i++) {
        const struct repair_patch *patch = &repair->weakening.items[i];
        const unsigned guarded = patch->losses & protections_guarded();
        for (uint32_t w = 0; w < patch->words.count; w++)
            text_printf(text, "%s %s\n", w == 0 ? "  -" : "    and", patch->words.items[w]);
        repair_losses_text(arena, patch, "    ", text);
        if (guarded)
            text_printf(text, "    allowed by --allow %s\n", repair_loss_names(arena, guarded));
        if (patch->too_much)
            text_printf(text, "    refused: %s\n", patch->too_much);
    }
}

static void write_end(struct arena *arena, const struct repaired *of, struct text *text)
{
    const struct repair *repair = of->repair;
    switch (repair->end) {
    case REPAIR_NEEDLESS:
        text_append_string(text, "\nNothing is violated: there is nothing to repair.\n");
        break;
    case REPAIR_UNDECIDED:
        text_append_string(text,
                           "\nNothing is known to be violated, and not everything is decided.\n");
        break;
    case REPAIR_NONE:
        if (repair->weakening.count == 0)
            text_printf(text,
                        "\nNo repair was found: %" PRIu64 " edits, %" PRIu64
                        " sets of them tried%s.\n",
                        repair->edits, repair->tried,
                        repair->all_tried ? "" : "; larger sets were not all tried");
        break;
    case REPAIR_LIMIT:
        text_printf(text,
                    "\nNo repair was found before a limit was reached: %" PRIu64 " edits, %" PRIu64
                    " sets of them tried.\n",
                    repair->edits, repair->tried);
        break;
    case REPAIR_FOUND: text_append_string(text, "\nNothing was applied.\n"); break;
    }
    for (uint32_t i = 0; i < of->limits.count; i++)
        text_printf(text, "Limit: %s\n", of->limits.items[i]);
    (void)arena;
}

static void write_one(struct arena *arena, const struct repaired *of, bool verbose,
                      struct text *text)
{
    const struct repair *repair = of->repair;
    text_printf(text, "%s", of->check);
    if (of->file)
        text_printf(text, " (%s)", of->file);
    text_append_string(text, "\n");
    write_intents(arena, repair, text);
    write_patches(arena, repair, text);
    write_weakening(arena, repair, text);
    write_end(arena, of, text);
    if (verbose)
        text_printf(text,
                    "%" PRIu64 " edits, %" PRIu64 " sets tried: %" PRIu64
                    " rejected by the violated workload alone, %" PRIu64 " by known runs, %" PRIu64
                    " by their setups, %" PRIu64 " because fewer pods would run, %" PRIu64
                    " verified whole, %" PRIu64 " undecided; %.3f s\n",
                    repair->edits, repair->tried, repair->by_part, repair->by_replay,
                    repair->by_setup, repair->by_vacuity, repair->verified, repair->undecided,
                    repair->seconds);
}

void repairs_write_text(const struct writer_context *how, const struct repairs *repairs,
                        struct text *text)
{
    for (uint32_t i = 0; i < repairs->count; i++) {
        text_append_string(text, i > 0 ? "\n" : "");
        write_one(how->arena, &repairs->items[i], how->verbose, text);
    }
}
