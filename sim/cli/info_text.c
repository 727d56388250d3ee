/* What gcnsim info says of a code object to people. */
#include "sim/cli/info.h"

#include <string.h>

#include "sim/cli/cli.h"

static bool is_code(const struct gcnsim_code *code, uint64_t address)
{
    struct gcnsim_code_range range;

    for (uint32_t i = 0; gcnsim_code_text(code, i, &range) == 0; i++)
        if (address >= range.address && address - range.address < range.size)
            return true;
    return false;
}

/* Code that no kernel descriptor starts: its functions, and the registers that its driver sets. */
static void text_registers(const struct shown *s)
{
    struct gcnsim_symbol_info symbol;
    uint32_t address, value;
    const char *name;

    puts("  no kernel descriptors: a driver starts its code by registers; gcnsim runs one compute shader without "
         "scratch");
    for (uint32_t i = 0; gcnsim_code_symbol(s->code, i, &symbol) == 0; i++)
        if (symbol.type == GCNSIM_SYMBOL_FUNCTION && is_code(s->code, symbol.value)) {
            cli_printf("  function     0x%llx, %llu bytes  ", (unsigned long long)symbol.value,
                       (unsigned long long)symbol.size);
            cli_put_name(symbol.name, 0);
            putchar('\n');
        }
    for (uint32_t i = 0; gcnsim_code_register(s->code, i, &address, &value, &name) == 0; i++)
        cli_printf("  register     0x%05x  0x%08x  %s\n", address, value, name);
}

static void text_args(const struct shown *s, uint32_t kernel, const struct gcnsim_kernel_info *k)
{
    const struct gcnsim_code *code = s->code;
    struct gcnsim_arg_info arg;
    uint32_t hidden = 0;

    if (!s->info.code_object_version) {
        puts("  arguments    the user SGPRs from s0 on, as its driver would set them");
        return;
    }
    if (!k->has_metadata) {
        puts("  arguments    unknown, no metadata");
        return;
    }
    if (k->explicit_arg_count == 0)
        puts("  arguments    none");
    else
        puts("  arguments     # offset  size  kind             type          name");
    for (uint32_t i = 0, shown = 0; gcnsim_code_kernel_arg(code, kernel, i, &arg) == 0; i++) {
        if (arg.hidden) {
            hidden++;
            continue;
        }
        cli_printf("               %2u %6u %5u  %-16s ", shown++, arg.offset, arg.size, arg.value_kind);
        cli_put_name(arg.type_name[0] ? arg.type_name : "-", 13);
        putchar(' ');
        cli_put_name(arg.name[0] ? arg.name : "-", 0);
        putchar('\n');
    }
    if (hidden)
        cli_printf("               and %u hidden ones, which the launch fills in\n", hidden);
}

static void text_occupancy(struct shown *s, uint32_t kernel, uint32_t items)
{
    const struct profiles *profiles = &s->profiles;
    struct gcnsim_occupancy occ = {0};

    for (size_t i = 0; i < profiles->count; i++) {
        const char *name = profiles->list[i].name;
        struct gcnsim_error error = {0};
        if (!i)
            cli_printf("  occupancy    with workgroups of %u work-items\n", items);
        if (!info_occupancy(s, kernel, name, items, &occ, &error))
            cli_printf("               %s: %s\n", name, error.text);
        else {
            cli_printf("               %s: %u waves per SIMD, limited by %s; allocates %u VGPRs", name,
                       occ.waves_per_simd, occ.limiter, occ.vgprs_allocated);
            if (occ.agprs_allocated)
                cli_printf(", %u AccVGPRs", occ.agprs_allocated);
            cli_printf(", %u SGPRs a wave\n", occ.sgprs_allocated);
        }
    }
    if (!profiles->count)
        cli_printf("  occupancy    no built-in profile of %s\n", profiles->processor);
}

/* The name as people write it, and the symbol where that is another. */
static void text_name(struct shown *s, const char *name)
{
    struct gcnsim_error error = {0};
    char *plain = NULL;

    if (gcnsim_demangle(name, &plain, &error) != GCNSIM_OK)
        s->status = cli_library_error(&error);
    cli_put_name(plain ? plain : name, 0);
    if (plain && strcmp(plain, name) != 0) {
        fputs("\n  symbol       ", stdout);
        cli_put_name(name, 0);
    }
    putchar('\n');
    gcnsim_free(plain);
}

static void text_kernel(struct shown *s, uint32_t index)
{
    struct gcnsim_kernel_info k;

    gcnsim_code_kernel(s->code, index, &k);
    fputs("\nkernel ", stdout);
    text_name(s, k.name);
    if (gcnsim_code_kernel_refused(s->code, index)) {
        fputs("  refused      ", stdout);
        cli_put_name(gcnsim_code_kernel_refused(s->code, index), 0);
        putchar('\n');
        return;
    }
    if (k.code_size)
        cli_printf("  code         0x%llx, %llu bytes\n", (unsigned long long)k.code_offset,
                   (unsigned long long)k.code_size);
    else
        cli_printf("  code         0x%llx\n", (unsigned long long)k.code_offset);
    cli_printf("  waves        %u work-items\n", k.wavefront_size);
    cli_printf("  registers    %u VGPRs", k.vgprs);
    if (k.agprs)
        cli_printf(", %u AccVGPRs", k.agprs);
    cli_printf(", %u SGPRs", k.sgprs);
    if (k.has_metadata) {
        cli_printf("; used: %u VGPRs", k.vgpr_count);
        if (k.agpr_count)
            cli_printf(", %u AccVGPRs", k.agpr_count);
        cli_printf(", %u SGPRs\n", k.sgpr_count);
        if (k.vgpr_spill_count || k.sgpr_spill_count)
            cli_printf("  spills       %u VGPRs, %u SGPRs\n", k.vgpr_spill_count, k.sgpr_spill_count);
    } else {
        putchar('\n');
    }
    cli_printf("  LDS          %u bytes\n", k.group_segment_fixed_size);
    cli_printf("  scratch      %u bytes per work-item%s\n", k.private_segment_fixed_size,
               k.uses_dynamic_stack ? " and a stack of unknown depth" : "");
    if (k.reqd_workgroup_size[0])
        cli_printf("  workgroup    %u x %u x %u required\n", k.reqd_workgroup_size[0], k.reqd_workgroup_size[1],
                   k.reqd_workgroup_size[2]);
    else if (k.max_flat_workgroup_size)
        cli_printf("  workgroup    at most %u work-items\n", k.max_flat_workgroup_size);
    if (k.cluster_dims[0])
        cli_printf("  cluster      %u x %u x %u workgroups\n", k.cluster_dims[0], k.cluster_dims[1], k.cluster_dims[2]);
    cli_printf("  kernarg      %u bytes\n", k.kernarg_size);
    text_args(s, index, &k);
    text_occupancy(s, index, info_occupancy_items(&k));
}

void info_text(struct shown *s)
{
    const struct gcnsim_code_info *info = &s->info;

    const char *isa = gcnsim_instruction_set(info->processor);

    cli_put_name(info->name, 0);
    cli_put_name(info->where, 0);
    cli_printf(": %s", info->target);
    if (strcmp(isa, info->processor) != 0)
        cli_printf(" (instructions of %s)", isa);
    if (info->code_object_version)
        cli_printf(", code object version %u", info->code_object_version);
    else
        cli_printf(", %s", info->os);
    cli_printf(", %u kernel%s\n", info->kernel_count, info->kernel_count == 1 ? "" : "s");
    if (!info->code_object_version)
        text_registers(s);
    for (uint32_t i = 0; i < info->kernel_count; i++)
        if (s->only == UINT32_MAX || s->only == i)
            text_kernel(s, i);
}
