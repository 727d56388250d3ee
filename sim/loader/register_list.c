/* Registers that start code: their names, and the memory of a list of them. */
#include "sim/loader/register_list.h"

#include <stdlib.h>

static const struct {
    uint32_t address;
    const char *name;
} names[] = {
    {0x4, "SPILLED_SGPRS"}, /* the compiler's own, no registers */
    {0x8, "SPILLED_VGPRS"},
    {0xb028, "SPI_SHADER_PGM_RSRC1_PS"},
    {0xb02c, "SPI_SHADER_PGM_RSRC2_PS"},
    {0xb128, "SPI_SHADER_PGM_RSRC1_VS"},
    {0xb12c, "SPI_SHADER_PGM_RSRC2_VS"},
    {0xb228, "SPI_SHADER_PGM_RSRC1_GS"},
    {0xb22c, "SPI_SHADER_PGM_RSRC2_GS"},
    {0xb428, "SPI_SHADER_PGM_RSRC1_HS"},
    {0xb42c, "SPI_SHADER_PGM_RSRC2_HS"},
    {CO_REG_COMPUTE_DISPATCH_INITIATOR, "COMPUTE_DISPATCH_INITIATOR"},
    {0xb81c, "COMPUTE_NUM_THREAD_X"},
    {0xb820, "COMPUTE_NUM_THREAD_Y"},
    {0xb824, "COMPUTE_NUM_THREAD_Z"},
    {CO_REG_COMPUTE_PGM_RSRC1, "COMPUTE_PGM_RSRC1"},
    {CO_REG_COMPUTE_PGM_RSRC2, "COMPUTE_PGM_RSRC2"},
    {CO_REG_COMPUTE_TMPRING_SIZE, "COMPUTE_TMPRING_SIZE"},
    {CO_REG_COMPUTE_PGM_RSRC3, "COMPUTE_PGM_RSRC3"},
    {0x286cc, "SPI_PS_INPUT_ENA"},
    {0x286d0, "SPI_PS_INPUT_ADDR"},
    {0x286e8, "SPI_TMPRING_SIZE"},
};

const char *co_register_name(uint32_t address)
{
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (names[k].address == address)
            return names[k].name;
    return "";
}

void co_registers_free(struct co_registers *r)
{
    free((char *)r->entry);
    free(r->list);
}
