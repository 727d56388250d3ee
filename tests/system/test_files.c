/* Files that people have and that are no code objects: sources, archives, compressed files, dumps, objects of
 * -fgpu-rdc, debug information alone, shaders of PAL and Mesa. Each is opened, or described in a sentence what it is.
 */
#include "tests/support/toolchain.h"
#include "tests/system/cli_run.h"
#include "tests/system/spawn_tool.h"

static const char assembly[] = "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\n"
                               "\t.text\n\t.globl fill\n\t.p2align 8\n\t.type fill,@function\n"
                               "fill:\n"
                               "\ts_load_dwordx2 s[0:1], s[0:1], 0x0\n"
                               "\tv_lshlrev_b32_e32 v0, 2, v0\n"
                               "\tv_mov_b32_e32 v1, 3\n"
                               "\ts_waitcnt lgkmcnt(0)\n"
                               "\tglobal_store_dword v0, v1, s[0:1]\n"
                               "\ts_endpgm\n"
                               "\t.rodata\n\t.p2align 6\n"
                               "\t.amdhsa_kernel fill\n"
                               "\t\t.amdhsa_next_free_vgpr 2\n\t\t.amdhsa_next_free_sgpr 8\n"
                               "\t\t.amdhsa_accum_offset 4\n\t\t.amdhsa_kernarg_size 8\n"
                               "\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
                               "\t.end_amdhsa_kernel\n";

#define IR_BODY(convention, name)                                                                                      \
    "define " convention " void @" name "(ptr addrspace(1) inreg %p, i32 inreg %v) #0 {\n"                             \
    "  %t = call i32 @llvm.amdgcn.workitem.id.x()\n"                                                                   \
    "  %g = getelementptr i32, ptr addrspace(1) %p, i32 %t\n"                                                          \
    "  store i32 %v, ptr addrspace(1) %g\n"                                                                            \
    "  ret void\n}\n"                                                                                                  \
    "declare i32 @llvm.amdgcn.workitem.id.x()\n"

static const char ir[] = "target triple = \"amdgcn-amd-amdhsa\"\n" IR_BODY("amdgpu_kernel", "fill") "attributes #0 = { "
                                                                                                    "\"target-cpu\"="
                                                                                                    "\"gfx90a\" }\n";

/* A compute shader gets its arguments in SGPRs and the work-item's number in v0. */
#define SHADER(triple)                                                                                                 \
    "target triple = \"" triple "\"\n"                                                                                 \
    "define amdgpu_cs void @main_cs(ptr addrspace(1) inreg %p, i32 inreg %v, i32 %t) #0 {\n"                           \
    "  %g = getelementptr i32, ptr addrspace(1) %p, i32 %t\n"                                                          \
    "  store i32 %v, ptr addrspace(1) %g\n"                                                                            \
    "  ret void\n}\n"                                                                                                  \
    "attributes #0 = { \"target-cpu\"=\"gfx1030\" }\n"

static const char hip[] =
    "#define __global__ __attribute__((global))\n#define __host__ __attribute__((host))\n"
    "struct dim3 { unsigned x, y, z; };\n"
    "extern \"C\" int __hipPushCallConfiguration(dim3, dim3, unsigned long, void *);\n"
    "extern \"C\" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);\n"
    "extern \"C\" __global__ void fill(int *p) { p[__builtin_amdgcn_workitem_id_x()] = 3; }\n";

static void write_text(const char *name, const char *text)
{
    write_file(cli_path(name), text, strlen(text));
}

#define TOOL(...) assert_int_equal(spawn_tool((const char *[]){__VA_ARGS__, NULL}, cli_path("log")), 0)

static void expect_text(struct said *s, int status, const char *out, const char *err)
{
    expect_status(s, status);
    if (out && !strstr(s->out, out))
        fail_msg("\"%s\" is not in: %s", out, s->out);
    if (err && !strstr(s->err, err))
        fail_msg("\"%s\" is not in: %s", err, s->err);
    said_free(s);
}

/* Runs the kernel, on both engines, and compares what it writes; the arguments may begin with one of another kind. */
static void run_it(const char *file, const char *arch, const char *first, uint32_t value, const char *note)
{
    static const char *const engines[] = {"functional", "timing"};
    char out[CLI_PATH + 300], arg[CLI_PATH + 320];

    snprintf(out, sizeof out, "%s", cli_path("out.bin"));
    snprintf(arg, sizeof arg, "out:%s:128", out);
    for (unsigned k = 0; k < 2; k++) {
        const char *argv[24] = {"run",    file, "--arch",      arch, "--engine", engines[k],
                                "--grid", "32", "--workgroup", "32", NULL};
        unsigned n = 10;
        size_t bytes;
        if (first) {
            argv[n++] = "--arg";
            argv[n++] = first;
        }
        argv[n++] = "--arg";
        argv[n++] = arg;
        if (value != 3) {
            argv[n++] = "--arg";
            argv[n++] = "u32:7";
        }
        struct said s = cli_run(argv);
        expect_text(&s, 0, NULL, note);
        uint32_t *got = (uint32_t *)(void *)read_whole(out, &bytes);
        assert_non_null(got);
        assert_int_equal(bytes, 128);
        for (unsigned i = 0; i < 32; i++)
            assert_int_equal(got[i], value);
        free(got);
        unlink(out);
    }
}

static void sources_are_compiled_and_clang_is_named(void **state)
{
    char file[CLI_PATH + 300];
    struct said s;
    (void)state;
    NEED_CLANG();

    write_text("k.s", assembly);
    write_text("k.ll", ir);
    TOOL("clang-19", "-x", "ir", "-c", "-emit-llvm", "-target", "amdgcn-amd-amdhsa", "-nogpulib", cli_path("k.ll"),
         "-o", cli_path("k.bc"));
    snprintf(file, sizeof file, "%s", cli_path("k.s"));
    run_it(file, "gfx90a", NULL, 3, "k.s: compiled for gfx90a by clang-19 (");
    s = RUN("info", file);
    expect_text(&s, 0, "k.s: gfx90a, code object version ", " version 19.");
    s = RUN("disasm", file, "--kernel", "fill");
    expect_text(&s, 0, "v_mov_b32_e32 v1, 3", "compiled for gfx90a");
    s = RUN("run", file, "--grid", "32", "--workgroup", "32", "--arg", "buf:128", "--json", file);
    expect_text(&s, 2, NULL, "k.s");
    s = RUN("info", file);
    expect_text(&s, 0, "kernel fill", NULL); /* it was not overwritten */
    s = RUN("info", file, "--clang", "gcnsim-no-such-clang");
    expect_text(&s, 2, NULL, "gcnsim-no-such-clang: No such file or directory; it is needed to assemble ");
    snprintf(file, sizeof file, "%s", cli_path("k.ll"));
    run_it(file, "gfx90a", NULL, 7, "k.ll: compiled for gfx90a by clang-19 (");
    s = RUN("compare", "--arch", "gfx90a", file);
    expect_text(&s, 0, "k", "k.ll: compiled for gfx90a by ");
    snprintf(file, sizeof file, "%s", cli_path("k.bc"));
    run_it(file, "gfx90a", NULL, 7, "k.bc: compiled for gfx90a by clang-19 (");
    said_free(&s);
}

static void a_source_needs_a_target(void **state)
{
    char file[CLI_PATH + 300];
    struct said s;
    (void)state;
    NEED_CLANG();

    write_text("t.s", strchr(assembly, '\n') + 1); /* without its .amdgcn_target */
    snprintf(file, sizeof file, "%s", cli_path("t.s"));
    s = RUN("info", file);
    expect_text(&s, 2, NULL, "t.s: it does not say for which processor it is (.amdgcn_target); expected --target NAME");
    s = RUN("info", file, "--target", "gfx90a");
    expect_text(&s, 0, "t.s: gfx90a", NULL);
    s = RUN("run", file, "--grid", "32", "--workgroup", "32");
    expect_text(&s, 2, NULL, "expected --arch PROFILE or --target NAME");
    run_it(file, "gfx90a", NULL, 3, "compiled for gfx90a");
    write_text("host.ll", "target triple = \"x86_64-pc-linux-gnu\"\n");
    s = RUN("info", cli_path("host.ll"));
    expect_text(&s, 2, NULL, "it is for x86_64-pc-linux-gnu; expected amdgcn");
    write_text("both.s", "\n# __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx90a\n");
    s = RUN("info", cli_path("both.s"));
    expect_text(&s, 2, NULL, "assembly for several targets, not a code object; expected that for one");
    write_text("wrong.s", "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\n\tv_nonsense v0\n");
    s = RUN("info", cli_path("wrong.s"));
    expect_text(&s, 2, NULL, "wrong.s:2:2: error: invalid instruction");
}

/* A launch file is somebody else's: what it names is not compiled. */
static void launch_files_compile_nothing(void **state)
{
    struct said s;
    (void)state;

    write_text("l.s", assembly);
    write_text("l.json", "{\"file\": \"l.s\", \"kernel\": \"fill\", \"grid\": [32], \"workgroup\": [32], "
                         "\"args\": [\"buf:128\"]}");
    s = RUN("run", cli_path("l.json"));
    expect_text(&s, 2, NULL, "not a code object, expected an ELF file or an offload bundle");
}

/* A HIP object for two targets, "h.o". */
static void make_object(const char *name, const char *rdc)
{
    write_text("h.hip", hip);
    TOOL("clang-19", "-x", "hip", "--offload-arch=gfx90a", "--offload-arch=gfx1030", "-nogpulib", "-nogpuinc", "-O2",
         "-fPIC", rdc, "-c", cli_path("h.hip"), "-o", cli_path(name));
}

static void archives_and_compressed_files_are_opened(void **state)
{
    char file[CLI_PATH + 300];
    struct said s;
    (void)state;
    NEED_CLANG();

    make_object("an-object-with-a-long-name.o", "-fno-gpu-rdc");
    write_text("note.txt", "no object");
    TOOL("ar", "rcs", cli_path("lib.a"), cli_path("note.txt"), cli_path("an-object-with-a-long-name.o"));
    snprintf(file, sizeof file, "%s", cli_path("lib.a"));
    s = RUN("info", file);
    expect_text(&s, 0, "lib.a: 2 code objects; ", NULL);
    s = RUN("info", file, "--json");
    expect_text(&s, 0, "\"where\": \"(an-object-with-a-long-name.o)\"", NULL);
    s = RUN("info", file, "--index", "1");
    expect_text(&s, 0, "lib.a(an-object-with-a-long-name.o): gfx90a, code object version ", NULL);
    run_it(file, "gfx90a", NULL, 3, NULL);
    run_it(file, "gfx1030", NULL, 3, NULL);
    TOOL("gzip", "-k", file);
    snprintf(file, sizeof file, "%s", cli_path("lib.a.gz"));
    s = RUN("info", file);
    expect_text(&s, 0, "lib.a.gz: 2 code objects; ", NULL);
    run_it(file, "gfx1030", NULL, 3, NULL);
    TOOL("ar", "rcs", cli_path("none.a"), cli_path("note.txt"));
    s = RUN("info", cli_path("none.a"));
    expect_text(&s, 2, NULL, "none.a: an archive of 1 member without amdgcn code; expected objects of HIP");
    TOOL("ar", "rcsT", cli_path("thin.a"), cli_path("an-object-with-a-long-name.o"));
    s = RUN("info", cli_path("thin.a"));
    expect_text(&s, 2, NULL,
                "thin.a: a thin archive, which holds no objects but names of files; expected one of these: ");
}

static void bundles_in_other_files_are_found_and_their_place_is_told(void **state)
{
    char file[CLI_PATH + 300];
    size_t object, bytes;
    struct said s;
    (void)state;
    NEED_CLANG();

    make_object("d.o", "-fno-gpu-rdc");
    char *whole = read_whole(cli_path("d.o"), &bytes);
    assert_non_null(whole);
    for (object = 0; memcmp(whole + object, "__CLANG_OFFLOAD_BUNDLE__", 24) != 0;)
        assert_true(++object + 24 < bytes);
    /* text that looks like a bundle, then the bundle at 5000 */
    size_t size = 5000 + bytes - object;
    char *dump = calloc(1, size), expected[100];
    assert_non_null(dump);
    memset(dump, 'x', 5000);
    memcpy(dump + 100, "__CLANG_OFFLOAD_BUNDLE__ CCOB \177ELF\2\1\1", 37);
    memcpy(dump + 5000, whole + object, bytes - object);
    write_file(cli_path("dump.bin"), dump, size);
    free(dump);
    free(whole);
    snprintf(file, sizeof file, "%s", cli_path("dump.bin"));
    snprintf(expected, sizeof expected, "at offset 0x%x", 5000u);
    s = RUN("info", file);
    expect_text(&s, 0, expected, NULL);
    s = RUN("info", file, "--target", "gfx90a", "--kernel", "fill");
    expect_text(&s, 0, "dump.bin at offset 0x1388: gfx90a", NULL);
    run_it(file, "gfx90a", NULL, 3, "note: ");
    s = RUN("disasm", file, "--target", "gfx90a");
    expect_text(&s, 0, "fill:", "dump.bin: the code object for gfx90a at offset 0x1388 of the file");
}

static void rdc_objects_say_what_to_do(void **state)
{
    struct said s;
    (void)state;
    NEED_CLANG();

    make_object("rdc.o", "-fgpu-rdc");
    s = RUN("info", cli_path("rdc.o"));
    expect_text(&s, 2, NULL, "an object of -fgpu-rdc, its section __CLANG_OFFLOAD_BUNDLE__hip");
    TOOL("clang-19", "-x", "hip", "--offload-arch=gfx90a", "-nogpulib", "-nogpuinc", "-fgpu-rdc",
         "--offload-new-driver", "-c", cli_path("h.hip"), "-o", cli_path("new.o"));
    s = RUN("info", cli_path("new.o"));
    expect_text(&s, 2, NULL,
                "its section .llvm.offloading holds LLVM bitcode; expected what hipcc -fgpu-rdc --hip-link");
    TOOL("ar", "rcs", cli_path("rdc.a"), cli_path("rdc.o"));
    s = RUN("info", cli_path("rdc.a"));
    expect_text(&s, 2, NULL, "rdc.a: member rdc.o: an object of -fgpu-rdc");
    s = RUN("info", cli_path("h.hip"));
    expect_text(&s, 2, NULL, "not a code object");
}

static void debug_information_alone_says_so(void **state)
{
    struct said s;
    (void)state;
    NEED_CLANG();

    write_text("g.s", assembly);
    TOOL("clang-19", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-g", cli_path("g.s"), "-o", cli_path("g.co"));
    TOOL("llvm-objcopy-19", "--only-keep-debug", cli_path("g.co"), cli_path("g.debug"));
    s = RUN("info", cli_path("g.debug"));
    expect_text(&s, 2, NULL, "this is debug information alone (--only-keep-debug), expected the code object that");
    make_object("g.o", "-fno-gpu-rdc");
    TOOL("llvm-objcopy-19", "--only-keep-debug", cli_path("g.o"), cli_path("go.debug"));
    s = RUN("info", cli_path("go.debug"));
    expect_text(&s, 2, NULL,
                "debug information alone (--only-keep-debug), .hip_fatbin is left out; expected the program");
}

/* The shader of a driver, as object and linked; `before`: an argument before its own. */
static void use_shader(const char *triple, const char *text, const char *os, const char *before, bool linked)
{
    char file[CLI_PATH + 300];
    struct said s;

    write_text("cs.ll", text);
    for (unsigned k = 0; k < (linked ? 2 : 1); k++) {
        snprintf(file, sizeof file, "%s", cli_path("cs.elf"));
        if (k)
            TOOL("clang-19", "-target", triple, "-mcpu=gfx1030", "-nogpulib", "-x", "ir", "-O2", cli_path("cs.ll"),
                 "-o", file);
        else
            TOOL("clang-19", "-target", triple, "-mcpu=gfx1030", "-nogpulib", "-x", "ir", "-O2", "-c",
                 cli_path("cs.ll"), "-o", file);
        s = RUN("info", file);
        assert_non_null(strstr(s.out, os));
        assert_non_null(strstr(s.out, "COMPUTE_PGM_RSRC1"));
        expect_text(&s, 0, "user SGPRs from s0 on", NULL);
        s = RUN("info", file, "--json");
        expect_text(&s, 0, "{\"address\": 47176, \"value\": ", NULL);
        s = RUN("disasm", file);
        expect_text(&s, 0, "main_cs:\n", NULL);
        run_it(file, "gfx1030", before, 7, NULL);
    }
}

static void shaders_of_pal_and_mesa_run_with_sgprs_by_hand(void **state)
{
    struct said s;
    (void)state;
    NEED_CLANG();

    use_shader("amdgcn-amd-amdpal", SHADER("amdgcn-amd-amdpal"), ": gfx1030, amdpal, 1 kernel\n", NULL, true);
    /* Mesa's have the address of a table in s[0:1] */
    use_shader("amdgcn-mesa-mesa3d", SHADER("amdgcn-mesa-mesa3d"), ": gfx1030, mesa3d, 1 kernel\n", "u64:0", false);
    enum { BEFORE = 8, ARGS = 16 };
    const char *argv[BEFORE + 2 * ARGS + 1] = {"run", cli_path("cs.elf"), "--arch", "gfx1030", "--grid",
                                               "32",  "--workgroup",      "32"};
    for (unsigned n = 0; n < ARGS; n++) {
        argv[BEFORE + 2 * n] = "--arg";
        argv[BEFORE + 2 * n + 1] = "bytes:0000000000000000000000";
    }
    s = cli_run(argv);
    expect_text(&s, 2, NULL, "arguments of code without a kernel descriptor are its user SGPRs: ");
}

/* Hand-written code, as AMD's attention kernels are, has no .size. */
static void code_without_a_size_has_a_fidelity(void **state)
{
    struct said s;
    (void)state;
    NEED_CLANG();

    write_text("a.s", assembly);
    TOOL("clang-19", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a", cli_path("a.s"), "-o", cli_path("a.co"));
    s = RUN("info", "--fidelity", cli_path("a.co"));
    expect_text(&s, 0, "fidelity of fill: 6 instructions", NULL);
    s = RUN("info", cli_path("a.co"));
    expect_text(&s, 0, ", 32 bytes\n", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_are_compiled_and_clang_is_named),
        cmocka_unit_test(a_source_needs_a_target),
        cmocka_unit_test(launch_files_compile_nothing),
        cmocka_unit_test(archives_and_compressed_files_are_opened),
        cmocka_unit_test(bundles_in_other_files_are_found_and_their_place_is_told),
        cmocka_unit_test(rdc_objects_say_what_to_do),
        cmocka_unit_test(debug_information_alone_says_so),
        cmocka_unit_test(shaders_of_pal_and_mesa_run_with_sgprs_by_hand),
        cmocka_unit_test(code_without_a_size_has_a_fidelity),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
