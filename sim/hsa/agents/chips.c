/* Figures of cards. Device ids: pci.ids. Memory: AMD's product pages and "GPU hardware specifications" of the ROCm
 * documentation; a board's memory clock is half the data rate of GDDR and HBM, an APU's that of its usual LPDDR5.
 */
#include "sim/hsa/agents/chips.h"

#include <string.h>

static const struct chip chips[] = {
    {"gfx803-rx480", 0x67df, 8, 256, 2000, 0, 0},         {"gfx803-r9nano", 0x7300, 4, 4096, 500, 0, 0},
    {"gfx900-vega64", 0x687f, 8, 2048, 945, 0, 0},        {"gfx906-mi50", 0x66a1, 16, 4096, 1000, 0, 0},
    {"gfx908-mi100", 0x738c, 32, 4096, 1200, 1, 0},       {"gfx90a-mi210", 0x740f, 64, 4096, 1600, 2, 0},
    {"gfx90a-mi250", 0x740c, 64, 4096, 1600, 1, 0},       {"gfx942-mi300x", 0x74a1, 192, 8192, 2600, 0, 0},
    {"gfx942-mi325x", 0x74a5, 256, 8192, 3000, 0, 0},     {"gfx942-mi300a", 0x74a0, 128, 8192, 2600, 0, 1},
    {"gfx950-mi355x", 0x75a3, 288, 8192, 4000, 0, 0},     {"gfx1010-rx5700xt", 0x731f, 8, 256, 875, 0xc1, 0},
    {"gfx1030-rx6900xt", 0x73bf, 16, 256, 1000, 0xc0, 0}, {"gfx1100-rx7900xtx", 0x744c, 24, 384, 1250, 0xc8, 0},
    {"gfx1101-rx7800xt", 0x747e, 16, 256, 1219, 0xc8, 0}, {"gfx1102-rx7600", 0x7480, 8, 128, 1124, 0xcf, 0},
    {"gfx1103-780m", 0x15bf, 8, 128, 1600, 0xc1, 1},      {"gfx1150-890m", 0x150e, 8, 128, 1875, 0xc1, 1},
    {"gfx1151-8060s", 0x1586, 32, 256, 2000, 0xc1, 1},    {"gfx1200-rx9060xt", 0x7590, 16, 128, 1258, 0xc0, 0},
    {"gfx1201-rx9070xt", 0x7550, 16, 256, 1258, 0xc0, 0}, {"gfx1250-whatif", 0, 32, 4096, 2000, 0, 0},
    {"gfx1251-whatif", 0, 32, 4096, 2000, 0, 0},
};

const struct chip *chip_of(const char *profile, const char *target)
{
    size_t n = strlen(target);

    for (size_t k = 0; k < sizeof chips / sizeof *chips; k++)
        if (strcmp(chips[k].profile, profile) == 0)
            return &chips[k];
    for (size_t k = 0; k < sizeof chips / sizeof *chips; k++)
        if (strncmp(chips[k].profile, target, n) == 0 && chips[k].profile[n] == '-')
            return &chips[k];
    return &chips[0];
}

const char *chip_features(const char *target)
{
    static const struct {
        const char *target, *features;
    } known[] = {
        {"gfx900", ":xnack-"},          {"gfx902", ":xnack-"},          {"gfx904", ":xnack-"},
        {"gfx906", ":sramecc+:xnack-"}, {"gfx908", ":sramecc+:xnack-"}, {"gfx909", ":xnack-"},
        {"gfx90a", ":sramecc+:xnack-"}, {"gfx90c", ":xnack-"},          {"gfx940", ":sramecc+:xnack-"},
        {"gfx941", ":sramecc+:xnack-"}, {"gfx942", ":sramecc+:xnack-"}, {"gfx950", ":sramecc+:xnack-"},
        {"gfx1010", ":xnack-"},         {"gfx1011", ":xnack-"},         {"gfx1012", ":xnack-"},
        {"gfx1013", ":xnack-"},
    };

    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(known[k].target, target) == 0)
            return known[k].features;
    return "";
}
