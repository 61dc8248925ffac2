/* SPDX-License-Identifier: Apache-2.0 */
/* The states of a store in a file. Tables are made again from what is in them. */
#ifndef FATHOM_EXPLORE_STORE_SAVE_H
#define FATHOM_EXPLORE_STORE_SAVE_H

#include "base/bytes.h"
#include "explore/store.h"

/* The roots of the states below `count`, with their lengths where these vary. */
void store_save_roots(const struct store *store, uint64_t count, struct bytes_out *out);
/* Into an empty store. The states can be loaded then, but are found only once each of them was
 * made known (root_set_restore). False: in->bad, or there is no memory. */
bool store_load_roots(struct store *store, struct bytes_in *in, uint64_t *count);

/* The pairs of all nodes. */
void store_save_nodes(const struct store *store, struct bytes_out *out);
/* Into an empty store; as with roots, pair_set_restore makes them known. */
bool store_load_nodes(struct store *store, struct bytes_in *in, uint64_t *count);

#endif
