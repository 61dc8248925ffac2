/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that create or change an object. */
#ifndef FATHOM_APISERVER_HANDLE_WRITE_H
#define FATHOM_APISERVER_HANDLE_WRITE_H

#include "apiserver/call.h"

void handle_create(const struct call *call);
void handle_update(const struct call *call);
void handle_patch(const struct call *call);

#endif
