/* OpenCL on a simulated GPU: kernels built from source, their results, printf, and events whose four times are in one
 * clock and in order. Prints "opencl: ok" last. `make check-rocm` runs it. */
#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 4096, GROUP = 256, GROUPS = ITEMS / GROUP, COMMANDS = 6 };

static const char source[] = "kernel void add(global const float *a, global const float *b, global float *c)\n"
                             "{\n"
                             "    size_t k = get_global_id(0);\n"
                             "    c[k] = a[k] + b[k];\n"
                             "}\n"
                             "kernel void reduce(global const float *in, global float *out, global uint *count)\n"
                             "{\n"
                             "    local float part[256];\n"
                             "    size_t l = get_local_id(0);\n"
                             "    part[l] = in[get_global_id(0)];\n"
                             "    for (size_t n = 128; n; n /= 2) {\n"
                             "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "        if (l < n)\n"
                             "            part[l] += part[l + n];\n"
                             "    }\n"
                             "    if (l == 0) {\n"
                             "        out[get_group_id(0)] = part[0];\n"
                             "        atomic_add(count, (uint)part[0]);\n"
                             "    }\n"
                             "}\n";

/* A program of its own: the runtime of 7.2.4 takes wrong times for all kernels beside one that prints (docs/ROCM.md).
 */
static const char printing[] = "kernel void tell(global const float *a, global const float *b, global const float *c)\n"
                               "{\n"
                               "    size_t k = get_global_id(0);\n"
                               "    if (k % 1024 == 7)\n"
                               "        printf(\"item %d: %.0f = %.0f + %.0f\\n\", (int)k, c[k], a[k], b[k]);\n"
                               "}\n";

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        cl_int status_ = (call);                                                                                       \
        if (status_ != CL_SUCCESS) {                                                                                   \
            fprintf(stderr, "opencl: %s: %d\n", #call, status_);                                                       \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)
#define EXPECT(so)                                                                                                     \
    do {                                                                                                               \
        if (!(so)) {                                                                                                   \
            fprintf(stderr, "opencl: line %d: expected %s\n", __LINE__, #so);                                          \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static void start(void)
{
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_platform_id platform;
    cl_int status;

    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    OK(status);
    queue = clCreateCommandQueueWithProperties(context, device, properties, &status);
    OK(status);
}

static cl_program build(const char *text)
{
    cl_int status;
    cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &status);

    OK(status);
    OK(clBuildProgram(p, 1, &device, "-cl-std=CL2.0", NULL, NULL));
    return p;
}

static cl_mem buffer(size_t bytes)
{
    cl_int status;
    cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);

    OK(status);
    return m;
}

static cl_kernel kernel(cl_program program, const char *name, cl_mem a, cl_mem b, cl_mem c)
{
    const cl_mem args[] = {a, b, c};
    cl_int status;
    cl_kernel k = clCreateKernel(program, name, &status);

    OK(status);
    for (cl_uint n = 0; n < 3; n++)
        OK(clSetKernelArg(k, n, sizeof args[n], &args[n]));
    return k;
}

static cl_ulong time_of(cl_event e, cl_profiling_info which)
{
    cl_ulong t;

    OK(clGetEventProfilingInfo(e, which, sizeof t, &t, NULL));
    return t;
}

/* Each in its order, and none begins before the one before it, of an in-order queue, has ended. */
static void check_times(const cl_event *event)
{
    cl_ulong last = 0;

    for (unsigned k = 0; k < COMMANDS; k++) {
        cl_ulong queued = time_of(event[k], CL_PROFILING_COMMAND_QUEUED),
                 submit = time_of(event[k], CL_PROFILING_COMMAND_SUBMIT),
                 start = time_of(event[k], CL_PROFILING_COMMAND_START),
                 end = time_of(event[k], CL_PROFILING_COMMAND_END);

        printf("command %u: submit +%llu, start +%llu, end +%llu ns\n", k, (unsigned long long)(submit - queued),
               (unsigned long long)(start - submit), (unsigned long long)(end - start));
        EXPECT(queued <= submit && submit <= start && start < end);
        EXPECT(end - queued < 600000000000u);
        EXPECT(last <= start);
        last = end;
    }
}

/* There are none, whatever the runtime says of the chip (docs/ROCM.md), and the interface says so. */
static void check_images(void)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
    cl_bool has = CL_FALSE;
    cl_int status;

    OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof has, &has, NULL));
    EXPECT(!clCreateImage(context, CL_MEM_READ_ONLY, &format, &shape, NULL, &status));
    printf("image support %d, an image: error %d\n", (int)has, (int)status);
    EXPECT(status == CL_INVALID_OPERATION || status == CL_IMAGE_FORMAT_NOT_SUPPORTED ||
           status == CL_INVALID_IMAGE_SIZE);
}

int main(void)
{
    static float a[ITEMS], b[ITEMS], c[ITEMS], sums[GROUPS];
    const size_t items = ITEMS, group = GROUP;
    cl_event event[COMMANDS];
    cl_uint count = 0, want = 0;

    start();
    for (unsigned k = 0; k < ITEMS; k++) {
        a[k] = (float)(k % 61);
        b[k] = (float)(k % 7);
    }
    cl_mem A = buffer(sizeof a), B = buffer(sizeof b), C = buffer(sizeof c), S = buffer(sizeof sums),
           N = buffer(sizeof count);
    cl_program program = build(source);
    cl_kernel add = kernel(program, "add", A, B, C), reduce = kernel(program, "reduce", C, S, N),
              tell = kernel(build(printing), "tell", A, B, C);
    OK(clEnqueueFillBuffer(queue, N, &count, sizeof count, 0, sizeof count, 0, NULL, NULL));
    OK(clEnqueueWriteBuffer(queue, A, CL_FALSE, 0, sizeof a, a, 0, NULL, &event[0]));
    OK(clEnqueueWriteBuffer(queue, B, CL_FALSE, 0, sizeof b, b, 0, NULL, &event[1]));
    OK(clEnqueueNDRangeKernel(queue, add, 1, NULL, &items, &group, 0, NULL, &event[2]));
    OK(clEnqueueReadBuffer(queue, C, CL_TRUE, 0, sizeof c, c, 0, NULL, &event[3]));
    OK(clEnqueueNDRangeKernel(queue, reduce, 1, NULL, &items, &group, 0, NULL, &event[4]));
    OK(clEnqueueReadBuffer(queue, S, CL_TRUE, 0, sizeof sums, sums, 0, NULL, &event[5]));
    OK(clEnqueueReadBuffer(queue, N, CL_TRUE, 0, sizeof count, &count, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, tell, 1, NULL, &items, &group, 0, NULL, NULL));
    OK(clFinish(queue));
    for (unsigned k = 0; k < ITEMS; k++) {
        EXPECT(c[k] == a[k] + b[k]);
        want += k % 61 + k % 7;
    }
    for (unsigned g = 0; g < GROUPS; g++) {
        float sum = 0;

        for (unsigned k = 0; k < GROUP; k++)
            sum += c[g * GROUP + k];
        EXPECT(sums[g] == sum);
    }
    EXPECT(count == want);
    check_times(event);
    check_images();
    puts("opencl: ok");
    return 0;
}
