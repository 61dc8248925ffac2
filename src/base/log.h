/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages on standard error about what the program is doing.
 *
 * Standard output is for the answer alone. A line names its area:
 * `explore: level 12, 48210 states`. The level comes from the command line
 * (--quiet, -v) and is passed down in a `struct log`; the library works with a
 * NULL log, which is silent.
 */
#ifndef FATHOM_BASE_LOG_H
#define FATHOM_BASE_LOG_H

#include <stdio.h>

enum log_level { LOG_SILENT, LOG_WARN, LOG_INFO, LOG_DEBUG };

struct log {
    FILE *stream;
    enum log_level level;
};

__attribute__((format(printf, 4, 5))) void log_line(const struct log *log, enum log_level level,
                                                    const char *area, const char *format, ...);

#define LOG_WARNING(log, area, ...) log_line((log), LOG_WARN, (area), __VA_ARGS__)
#define LOG_INFORM(log, area, ...)  log_line((log), LOG_INFO, (area), __VA_ARGS__)
#ifdef NDEBUG
#define LOG_DEBUGGING(log, area, ...) ((void)0)
#else
#define LOG_DEBUGGING(log, area, ...) log_line((log), LOG_DEBUG, (area), __VA_ARGS__)
#endif

#endif
