/* What other files ask of the copy engines. */
#ifndef GCNSIM_HSA_COPY_H
#define GCNSIM_HSA_COPY_H

#include <stdint.h>

/* Memory has been written by the host or a copy engine: caches of devices lose their lines of it. */
void devices_written(uint64_t address, uint64_t bytes);

#endif
