/* SPDX-License-Identifier: Apache-2.0 */
#include "base/late_library.h"

#include <dlfcn.h>
#include <string.h>

/* A static program (meson's option `static`) has no loader. */
#ifdef FATHOM_STATIC
static const bool is_static = true;
#else
static const bool is_static = false;
#endif

/* Who misses one wants to know what to install; the names of packages are Debian's. */
#define MISSING(file, package)                                                          \
    {                                                                                   \
        file, file " is not installed, which is needed for this (package " package ")", \
            "this needs " file                                                          \
            ", and the static program loads no libraries: use Fathom's package, or "    \
            "the release in a folder"                                                   \
    }
static const struct {
    const char *file;
    const char *missing;
    const char *unable;
} known[] = {
    MISSING("libcurl.so.4", "libcurl4"),
    MISSING("libmicrohttpd.so.12", "libmicrohttpd12"),
    MISSING("libgnutls.so.30", "libgnutls30"),
};

static const char *missing_text(const char *file)
{
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (strcmp(known[i].file, file) == 0)
            return is_static ? known[i].unable : known[i].missing;
    return "a library that is needed for this is not installed";
}

void *late_library_open(const char *file, const char **why)
{
    if (is_static) {
        *why = "the static program loads no libraries: use Fathom's package, or the release in a "
               "folder";
        return NULL;
    }
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        *why = dlerror();
    return library;
}

bool late_library_load(const char *file, const struct late_function *functions, size_t count,
                       void *table, const char **why)
{
    void *library = late_library_open(file, why);
    if (!library) {
        *why = missing_text(file);
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
