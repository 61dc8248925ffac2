/* SPDX-License-Identifier: Apache-2.0 */
/* All headers of the room, for files that need nearly all of them; better to include
 * what is used. */
#ifndef FATHOM_MODEL_POPULATION_POPULATION_INTERNAL_H
#define FATHOM_MODEL_POPULATION_POPULATION_INTERNAL_H

#include "model/population/actions.h"
#include "model/population/autoscalers.h"
#include "model/population/budgets.h"
#include "model/population/build.h"
#include "model/population/configs.h"
#include "model/population/events.h"
#include "model/population/expansion.h"
#include "model/population/intents.h"
#include "model/population/memos.h"
#include "model/population/nodes.h"
#include "model/population/observed.h"
#include "model/population/population_model.h"
#include "model/population/progress.h"
#include "model/population/reductions.h"
#include "model/population/state.h"
#include "model/population/steps.h"
#include "model/population/supports.h"
#include "model/population/traffic.h"
#include "model/population/usage.h"
#include "model/population/workloads.h"

#endif
