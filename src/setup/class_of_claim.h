/* SPDX-License-Identifier: Apache-2.0 */
/* Which StorageClass a claim means. */
#ifndef FATHOM_SETUP_CLASS_OF_CLAIM_H
#define FATHOM_SETUP_CLASS_OF_CLAIM_H

#include "object/object.h"
#include "object/storage.h"

/* The class of this name, or, where a claim names none (NULL), the default one. NULL: it is not
 * among the objects. A claim with the name "" wants no class, and no class has that name. */
const struct storage_class *class_of_claim(const struct objects *objects, const char *name);

#endif
