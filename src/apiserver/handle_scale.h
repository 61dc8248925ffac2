/* SPDX-License-Identifier: Apache-2.0 */
/* The Scale of an object, and the object after an update of its Scale. */
#ifndef FATHOM_APISERVER_HANDLE_SCALE_H
#define FATHOM_APISERVER_HANDLE_SCALE_H

#include "apiserver/call.h"

bool scale_is_served(const struct resource_type *type);
const struct datum *scale_of(struct arena *arena, const struct datum *object);
struct change_result scale_update(const struct call *call, const struct change *change,
                                  const struct datum *scale);
bool call_is_scale(const struct call *call);
/* Responds with the Scale of the object. */
void call_respond_scale(const struct call *call, const struct datum *object);

#endif
