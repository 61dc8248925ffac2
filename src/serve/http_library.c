/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/http_library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

bool http_library_load(struct http_library *library, const char **error)
{
    void *handle = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        *error = "libmicrohttpd.so.12 is needed and cannot be loaded (Debian: libmicrohttpd12)";
        return false;
    }
    static const struct {
        const char *name;
        size_t offset;
    } functions[] = {
#define FUNCTION(name) {"MHD_" #name, offsetof(struct http_library, name)},
        HTTP_FUNCTIONS
#undef FUNCTION
    };
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        void *found = dlsym(handle, functions[i].name);
        if (!found) {
            *error = "libmicrohttpd.so.12 has not all functions that are needed";
            return false;
        }
        memcpy((char *)library + functions[i].offset, &found, sizeof(found));
    }
    return true;
}
