/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that delete objects. */
#ifndef FATHOM_APISERVER_HANDLE_DELETE_H
#define FATHOM_APISERVER_HANDLE_DELETE_H

#include "apiserver/call.h"

void handle_delete(const struct call *call);
void handle_delete_all(const struct call *call);

#endif
