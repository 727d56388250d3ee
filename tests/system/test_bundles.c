/* Programs of two source files, compiled as HIP for several targets: their code objects are found in the shared
 * library's .hip_fatbin section, plain and compressed, and in bundles one after the other. */
#include "tests/support/toolchain.h"
#include "tests/system/cli_run.h"
#include "tests/system/spawn_tool.h"

#define HIP                                                                                                            \
    "#define __global__ __attribute__((global))\n"                                                                     \
    "#define __constant__ __attribute__((constant))\n"                                                                 \
    "#define __host__ __attribute__((host))\n"                                                                         \
    "struct dim3 { unsigned x, y, z; };\n"                                                                             \
    "extern \"C\" int __hipPushCallConfiguration(dim3, dim3, unsigned long, void *);\n"                                \
    "extern \"C\" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);\n"                    \
    "static __attribute__((device)) int item()\n"                                                                      \
    "{ return __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x(); }\n"                          \
    "template <int N> __global__ void common(int *p) { p[item()] = N; }\n"                                             \
    "template __global__ void common<3>(int *);\n"

static const char *const sources[] = {
    HIP "__constant__ int factor = 5;\n"
        "extern \"C\" __global__ void scale(int *p) { p[item()] = factor * item(); }\n",
    HIP "template <class T> __global__ void add(T *p, T a) { p[item()] = item() + a; }\n"
        "template __global__ void add<int>(int *, int);\n"
        "template __global__ void add<long>(long *, long);\n"};

/* The program as a shared library. A clang without the bundler's compression says so: false. */
static bool build(const char *file, bool compressed)
{
    char from[300], object[2][300];

    for (unsigned k = 0; k < 2; k++) {
        snprintf(from, sizeof from, "%s", cli_path("k.hip"));
        snprintf(object[k], sizeof object[k], "%s", cli_path(k ? "b.o" : "a.o"));
        FILE *f = fopen(from, "w");
        assert_non_null(f);
        fputs(sources[k], f);
        fclose(f);
        const char *argv[] = {"clang-19",
                              "-x",
                              "hip",
                              "--offload-arch=gfx90a:xnack-",
                              "--offload-arch=gfx90a:xnack+",
                              "--offload-arch=gfx1030",
                              "-nogpulib",
                              "-nogpuinc",
                              "-O2",
                              "-fPIC",
                              "-c",
                              from,
                              "-o",
                              object[k],
                              compressed ? "--offload-compress" : NULL,
                              NULL};
        if (spawn_tool(argv, cli_path("log"))) {
            assert_true(compressed);
            return false;
        }
    }
    assert_int_equal(spawn_tool((const char *[]){"clang-19", "-shared", "-nostdlib", "-fuse-ld=lld", object[0],
                                                 object[1], "-o", file, NULL},
                                cli_path("log")),
                     0);
    return true;
}

/* Runs a kernel, and compares what it writes. */
static void run(const char *file, const char *arch, const char *kernel, const char *index, int factor, int more)
{
    char out[300], arg[320];
    size_t bytes = 0;

    snprintf(out, sizeof out, "%s", cli_path("out.bin"));
    snprintf(arg, sizeof arg, "out:%s:512", out);
    const char *argv[24] = {"run",  file,       "--arch", arch,          "--engine", "functional", "--kernel",
                            kernel, "--blocks", "2",      "--workgroup", "64",       "--arg",      arg};
    unsigned n = 14;
    if (strstr(kernel, "add")) {
        argv[n++] = "--arg";
        argv[n++] = "i32:7";
    }
    if (index) {
        argv[n++] = "--index";
        argv[n++] = index;
    }
    struct said s = cli_run(argv);
    expect_status(&s, 0);
    said_free(&s);
    int32_t *got = (int32_t *)(void *)read_whole(out, &bytes);
    assert_non_null(got);
    assert_int_equal(bytes, 512);
    for (int i = 0; i < 128; i++)
        assert_int_equal(got[i], factor * i + more);
    free(got);
}

static void expect_text(const struct said *s, int status, const char *part)
{
    expect_status(s, status);
    if (!strstr(status ? s->err : s->out, part))
        fail_msg("\"%s\" is not in: %s%s", part, s->out, s->err);
}

static void use(const char *file)
{
    struct said s = RUN("info", file);
    expect_text(&s, 0, ": 6 code objects; --index N or --kernel NAME shows one\n");
    assert_non_null(strstr(s.out, "\n     0  gfx1030  "));
    assert_non_null(strstr(s.out, "\n     5  gfx90a:xnack-  "));
    said_free(&s);
    s = RUN("info", file, "--target", "gfx90a", "--json");
    expect_text(&s, 0, "\"index\": 2,\n      \"id\": \"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-\",");
    assert_non_null(strstr(s.out, "\"kernels\": 3\n"));
    assert_null(strstr(s.out, "\"index\": 1,"));
    said_free(&s);
    s = RUN("info", file, "--target", "gfx1030", "--kernel", "add<long>");
    expect_text(&s, 0, "kernel void add<long>(long*, long)");
    assert_null(strstr(s.out, "add<int>"));
    said_free(&s);
    s = RUN("info", file, "--index", "3");
    expect_text(&s, 0, "gfx1030, code object version 5, 3 kernels");
    said_free(&s);
    s = RUN("disasm", file, "--target", "gfx90a", "--kernel", "scale");
    expect_text(&s, 0, "scale:\n");
    said_free(&s);
    s = RUN("disasm", file, "--target", "gfx90a");
    expect_text(&s, 2, "2 code objects fit \"gfx90a\", choose one by a kernel or by index: 2 hipv4-");
    said_free(&s);
    s = RUN("disasm", file, "--kernel", "common", "--target", "gfx90a");
    expect_text(&s, 2, "2 kernels match \"common\", expected one: ");
    assert_non_null(strstr(s.err, "choose one by index: 2 hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-, 5 hipv4"));
    said_free(&s);
    s = RUN("run", file, "--arch", "gfx90a", "--kernel", "nobody", "--grid", "64", "--workgroup", "64");
    expect_text(&s, 2, "no kernel \"nobody\" in any of 2 code objects");
    said_free(&s);
    s = RUN("info", file, "--index", "6");
    expect_text(&s, 2, "there is no code object 6, the file holds 6 (from 0 on)");
    said_free(&s);
    for (unsigned k = 0; k < 2; k++) {
        const char *arch = k ? "gfx1030" : "gfx90a";

        run(file, arch, "scale", NULL, 5, 0);
        run(file, arch, "add<int>", NULL, 1, 7);
        run(file, arch, "common", k ? "0" : "2", 0, 3);
        run(file, arch, "common", k ? "3" : "5", 0, 3);
    }
    s = RUN("annotate", file, "--arch", "gfx90a", "--kernel", "scale", "--blocks", "2", "--workgroup", "64", "--arg",
            "buf:512");
    expect_text(&s, 0, "scale");
    said_free(&s);
}

static void test_shared_libraries(void **state)
{
    char file[300];
    (void)state;

    NEED_CLANG();
    snprintf(file, sizeof file, "%s", cli_path("program.so"));
    build(file, false);
    use(file);
    if (build(file, true))
        use(file);
}

/* A launch file with kernels of both source files, of one of which the kernel's name does not say. */
static void test_launch_files(void **state)
{
    char file[300], launches[300], out[300];
    size_t bytes = 0;
    (void)state;

    NEED_CLANG();
    snprintf(file, sizeof file, "%s", cli_path("program.so"));
    build(file, false);
    snprintf(launches, sizeof launches, "%s", cli_path("l.json"));
    snprintf(out, sizeof out, "%s", cli_path("out.bin"));
    FILE *f = fopen(launches, "w");
    assert_non_null(f);
    fprintf(
        f,
        "{\"file\": \"program.so\", \"arch\": \"gfx90a\", \"engine\": \"functional\",\n"
        " \"buffers\": {\"a\": \"out:out.bin:512\"}, \"launches\": [\n"
        "  {\"kernel\": \"common\", \"index\": 5, \"grid\": [128], \"workgroup\": [64], \"args\": [\"buffer:a\"]},\n"
        "  {\"kernel\": \"add<int>\", \"grid\": [64], \"workgroup\": [64], \"args\": [\"buffer:a\", \"i32:9\"]}]}\n");
    fclose(f);
    struct said s = RUN("run", launches);
    expect_status(&s, 0);
    said_free(&s);
    int32_t *got = (int32_t *)(void *)read_whole(out, &bytes);
    assert_int_equal(bytes, 512);
    for (int i = 0; i < 128; i++)
        assert_int_equal(got[i], i < 64 ? i + 9 : 3);
    free(got);
    s = RUN("run", launches, "--launch", "0", "--index", "7");
    expect_text(&s, 2, "launches[0]: ");
    assert_non_null(strstr(s.err, "there is no code object 7, the file holds 6"));
    said_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_libraries),
        cmocka_unit_test(test_launch_files),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
