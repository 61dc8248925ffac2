/* SPDX-License-Identifier: Apache-2.0 */
#include "base/late_library.h"

#include <dlfcn.h>
#include <string.h>

bool late_library_load(const char *file, const struct late_function *functions, size_t count,
                       void *table, const char **why)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        *why = "a library that is needed for this is not installed";
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function) {
            *why = "a library that is needed for this is too old";
            return false;
        }
        memcpy((char *)table + functions[i].offset, &function, sizeof(function));
    }
    return true;
}
