#include "CTaskRuntime.h"
