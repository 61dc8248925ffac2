/* SPDX-License-Identifier: Apache-2.0 */
#include "base/http_library.h"

#include "base/late_library.h"

bool http_library_load(struct http_library *library, const char **error)
{
    static const struct late_function functions[] = {
#define FUNCTION(name) {"MHD_" #name, offsetof(struct http_library, name)},
        HTTP_FUNCTIONS
#undef FUNCTION
    };
    return late_library_load("libmicrohttpd.so.12", functions,
                             sizeof(functions) / sizeof(functions[0]), library, error);
}
