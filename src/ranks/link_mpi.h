/* SPDX-License-Identifier: Apache-2.0 */
/* The link over MPI: the only part that knows of it. */
#ifndef FATHOM_RANKS_LINK_MPI_H
#define FATHOM_RANKS_LINK_MPI_H

#include "ranks/link.h"

/* False: MPI cannot be used. */
bool link_mpi_begin(struct link *link, int *argc, char ***argv);
/* To be called by all ranks; a broken link is left as it is. */
void link_mpi_end(struct link *link);
/* Ends all ranks at once, because they do not fit together. */
void link_mpi_abort(int code);

#endif
