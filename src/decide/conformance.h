/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests: holds a decider against recorded decisions of the real code.
 *
 * Every record of a file (JSON lines, gzipped, under test/data/conformance) is
 * given to the decider; what it answers must equal the record's "result". The
 * version in the file's name (hpa-v1.33-open.jsonl.gz) is whose rules apply.
 * The agreement of each family is printed, and the first few differences in full.
 */
#ifndef FATHOM_DECIDE_CONFORMANCE_H
#define FATHOM_DECIDE_CONFORMANCE_H

#include "decide/decider.h"
#include "manifest/document.h"

struct conformance_count {
    uint32_t records;
    uint32_t wrong;
};

/* Is `found` what was recorded? The members of mappings in any order; what the
 * record does not have must not be found either. */
bool conformance_equal(const struct value *recorded, const struct value *found);

/* The same, where `same` compares texts. */
bool conformance_equal_texts(const struct value *recorded, const struct value *found,
                             bool (*same)(const char *recorded, const char *found));

/* The same for two lists whose order means nothing. */
bool conformance_equal_sets(const struct value *recorded, const struct value *found);

/* Shows every record of a file to `visit`, in order. The arena is emptied after
 * each of them. */
void conformance_each(const char *file,
                      void (*visit)(void *context, struct arena *arena, const struct value *record),
                      void *context);

/* The files FAMILY-v1.N-open.jsonl.gz of all recorded versions: each has `records`
 * (`first_records` that of 1.26), and all of them are answered alike. */
bool conformance_versions(const struct decider *decider, const char *family, uint32_t first_records,
                          uint32_t records,
                          bool (*same)(const struct value *recorded, const struct value *found));

/* `same` decides for a whole result; NULL: conformance_equal. */
struct conformance_count conformance_run(const struct decider *decider, const char *file,
                                         bool (*same)(const struct value *recorded,
                                                      const struct value *found));

#endif
