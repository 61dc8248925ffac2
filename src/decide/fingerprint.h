/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of which fingerprints are made. Strings are written with their
 * length in front, lists with their count, so that no content of one field can
 * look like the beginning of the next.
 */
#ifndef FATHOM_DECIDE_FINGERPRINT_H
#define FATHOM_DECIDE_FINGERPRINT_H

#include "base/text.h"
#include "object/meta.h"
#include "object/quantity.h"
#include "object/taint.h"

void fingerprint_number(struct text *text, int64_t number);
void fingerprint_string(struct text *text, const char *string);
void fingerprint_optional(struct text *text, struct optional_int value);
void fingerprint_strings(struct text *text, const struct string_list *list);
void fingerprint_labels(struct text *text, const struct labels *labels);
void fingerprint_resources(struct text *text, const struct resource_list *list);
void fingerprint_tolerations(struct text *text, const struct toleration *tolerations,
                             uint32_t count);

#endif
