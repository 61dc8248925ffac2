/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by manifest.c and load.c. */
#ifndef FATHOM_MANIFEST_MANIFEST_INTERNAL_H
#define FATHOM_MANIFEST_MANIFEST_INTERNAL_H

#include "manifest/manifest.h"

/* Keys go into `keys_arena`, so that trees may outlive the reader. */
struct manifest_reader *manifest_reader_create_with(struct memory *memory, struct arena *keys_arena,
                                                    bool lenient);

/* As manifest_parse, with a reader that serves several texts. */
bool manifest_reader_parse(struct manifest_reader *reader, struct arena *arena, const char *file,
                           const char *bytes, size_t count, struct documents *documents,
                           struct problems *problems);

#endif
