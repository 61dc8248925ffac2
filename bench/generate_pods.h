/* SPDX-License-Identifier: Apache-2.0 */
/* A list of pods as `kubectl get pods -o yaml` prints it: for benchmarks that
 * need a manifest of the size of a cluster. The same count gives the same bytes. */
#ifndef FATHOM_BENCH_GENERATE_PODS_H
#define FATHOM_BENCH_GENERATE_PODS_H

#include <stdint.h>
#include <stdio.h>

void generate_pods(FILE *stream, uint32_t count);

#endif
