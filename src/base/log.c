/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include <stdarg.h>

void log_line(const struct log *log, enum log_level level, const char *area, const char *format,
              ...)
{
    if (!log || level > log->level)
        return;
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    fprintf(log->stream, "%s: %s\n", area, line);
}
