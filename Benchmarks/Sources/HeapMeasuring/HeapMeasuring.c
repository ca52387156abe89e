#include "HeapMeasuring.h"

#include <malloc.h>

long heap_bytes(void) {
  struct mallinfo2 information = mallinfo2();
  return (long)(information.uordblks + information.hblkhd);
}
