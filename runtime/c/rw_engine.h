/* An engine's own C → a Python module: what stands after the functions of every engine. */
#include "rw_play.h"
RW_SOONER
#include "rw_errors.h"
#include "rw_fields.h"
#include "rw_state.h"
#include "rw_calls.h"
#include "rw_judge.h"
#include "rw_search.h"
#include "rw_observe.h"
#include "rw_batch.h"
#include "rw_module.h"
RW_AS_BEFORE
