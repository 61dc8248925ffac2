/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a label selector in the command line's form. What is read and
 * written is read as a selector that matches the same and is written the same. */
#include "harness.h"

#include "object/selector_text.h"

#include <string.h>

/* Labels that the seeds speak of. */
static void require_same_matches(const struct label_selector *left,
                                 const struct label_selector *right)
{
    struct label pairs[] = {{"app", "web"}, {"n", "5"}, {"tier", "a"}};
    for (uint32_t first = 0; first < 3; first++)
        for (uint32_t count = 0; first + count <= 3; count++) {
            const struct labels labels = {.items = pairs + first, .count = count};
            FUZZ_REQUIRE(label_selector_matches(left, &labels) ==
                         label_selector_matches(right, &labels));
        }
}

void fuzz_one(struct arena *arena, const char *bytes, size_t count)
{
    const char *text = arena_strndup(arena, bytes, count);
    struct label_selector selector;
    struct label_selector again;
    const char *why = NULL;
    if (!selector_text_parse(arena, text, &selector, &why)) {
        FUZZ_REQUIRE(why && why[0]);
        return;
    }
    const char *written = selector_text_format(arena, &selector);
    FUZZ_REQUIRE(selector_text_parse(arena, written, &again, NULL));
    FUZZ_REQUIRE(strcmp(selector_text_format(arena, &again), written) == 0);
    require_same_matches(&selector, &again);
}
