/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as Kubernetes' protobuf: they are refused with a reason, or they are an object that can
 * be written as JSON, read again and written the same. The JSON is compared and not the data, since
 * protobuf's resource versions and uids are texts until they are read again.
 */
#include "harness.h"

#include "apiserver/protobuf.h"

#include <string.h>

void fuzz_one(struct arena *arena, const char *bytes, size_t count)
{
    const char *why = NULL;
    const struct datum *object = protobuf_read(arena, bytes, count, &why);
    if (!object) {
        FUZZ_REQUIRE(why && *why);
        return;
    }
    struct problems problems;
    struct text text;
    struct text text_again;
    problems_init(&problems, arena);
    text_init(&text, arena->memory);
    text_init(&text_again, arena->memory);
    datum_write(&text, DATUM_REAL, object);
    const struct datum *again = datum_read(arena, DATUM_REAL, (struct place){"json", 1, 1},
                                           text_content(&text), text.length, &problems);
    FUZZ_REQUIRE(again && !problems.errors);
    datum_write(&text_again, DATUM_REAL, again);
    FUZZ_REQUIRE(strcmp(text_content(&text), text_content(&text_again)) == 0);
    text_release(&text);
    text_release(&text_again);
}
