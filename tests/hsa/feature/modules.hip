/* Sections: code that is compiled or loaded while the program runs, what the device says of itself, and what the
 * language runtime refuses. */
#include "feature.h"

#include <hip/hip_ext.h>
#include <hip/hiprtc.h>

#include <unistd.h>

static const char source[] = R"(
extern "C" __device__ int of_module[4] = {1, 2, 3, 4};
extern "C" __constant__ float factor = 0.5f;
extern "C" __global__ void scale(const float *in, float *out, int n, char how)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n)
        out[k] = in[k] * factor + of_module[k % 4] + how;
}
extern "C" __global__ void count(int *out)
{
    atomicAdd(out + blockIdx.x, 1);
    atomicAdd(out + 8 + threadIdx.x % 8, 1);
}
template <class T, int N> __global__ void fill(T *out)
{
    out[threadIdx.x] = (T)N / 2;
}
#ifdef BROKEN
undeclared x;
#endif
)";

#define RTC(call)                                                                                                      \
    do {                                                                                                               \
        hiprtcResult got_ = (call);                                                                                    \
        if (got_ != HIPRTC_SUCCESS)                                                                                    \
            WRONG("%s: %s", #call, hiprtcGetErrorString(got_));                                                        \
    } while (0)

/* The code object of the source above, and the name of its instance of a template. */
static std::vector<char> compile(std::string *name)
{
    static std::vector<char> code;
    static std::string kept;

    if (code.empty()) {
        hipDeviceProp_t prop;
        hiprtcProgram program;
        const char *lowered;
        size_t size;

        OK(hipGetDeviceProperties(&prop, 0));
        std::string arch = std::string("--gpu-architecture=") + prop.gcnArchName;
        const char *options[] = {arch.c_str(), "-O2"};
        RTC(hiprtcCreateProgram(&program, source, "feature.hip", 0, nullptr, nullptr));
        RTC(hiprtcAddNameExpression(program, "fill<double, 7>"));
        RTC(hiprtcCompileProgram(program, 2, options));
        RTC(hiprtcGetLoweredName(program, "fill<double, 7>", &lowered));
        kept = lowered;
        RTC(hiprtcGetCodeSize(program, &size));
        code.resize(size);
        RTC(hiprtcGetCode(program, code.data()));
        RTC(hiprtcDestroyProgram(&program));
    }
    if (name)
        *name = kept;
    return code;
}

SECTION(compiled_at_run_time)
{
    std::string name;
    hipModule_t module;
    hipFunction_t fill;
    hiprtcProgram broken;
    size_t size = 0;
    const char *options[] = {"-DBROKEN"};

    OK(hipModuleLoadData(&module, compile(&name).data()));
    OK(hipModuleGetFunction(&fill, module, name.c_str()));
    on_device<double> out(64);
    double *p = out;
    void *args[] = {&p};
    OK(hipModuleLaunchKernel(fill, 1, 1, 1, 64, 1, 1, 0, nullptr, args, nullptr));
    EQUAL(out.get(), std::vector<double>(64, 3.5));
    OK(hipModuleUnload(module));
    RTC(hiprtcCreateProgram(&broken, source, "feature.hip", 0, nullptr, nullptr));
    EXPECT(hiprtcCompileProgram(broken, 1, options) == HIPRTC_ERROR_COMPILATION);
    RTC(hiprtcGetProgramLogSize(broken, &size));
    std::vector<char> log(size + 1);
    RTC(hiprtcGetProgramLog(broken, log.data()));
    EXPECT(strstr(log.data(), "undeclared"));
    RTC(hiprtcDestroyProgram(&broken));
}

SECTION(modules)
{
    enum { N = 70 };
    const char *folder = getenv("TMPDIR");
    std::string path = std::string(folder ? folder : "/tmp") + "/feature-" + std::to_string(getpid()) + ".co";
    std::vector<char> code = compile(nullptr);
    hipModule_t module;
    hipFunction_t scale, count, absent;
    hipDeviceptr_t variable;
    size_t size = 0;
    int value = 0;

    FILE *f = fopen(path.c_str(), "wb");
    EXPECT(f && fwrite(code.data(), 1, code.size(), f) == code.size() && !fclose(f));
    hipError_t loaded = hipModuleLoad(&module, path.c_str());
    unlink(path.c_str());
    OK(loaded);
    OK(hipModuleGetFunction(&scale, module, "scale"));
    OK(hipModuleGetFunction(&count, module, "count"));
    RETURNS(hipErrorNotFound, hipModuleGetFunction(&absent, module, "no_such_kernel"));
    OK(hipModuleGetGlobal(&variable, &size, module, "of_module"));
    SAME(size, 16);
    RETURNS(hipErrorNotFound, hipModuleGetGlobal(&variable, &size, module, "no_such_variable"));
    (void)hipGetLastError();
    OK(hipModuleGetGlobal(&variable, &size, module, "of_module"));
    int twenty = 20;
    OK(hipMemcpyHtoD(variable, &twenty, sizeof twenty));

    std::vector<float> want(N);
    on_device<float> in(ramp<float>(N)), out(N);
    struct {
        const float *in;
        float *out;
        int n;
        char how;
    } args = {in, out, N, -3};
    size_t bytes = sizeof args;
    void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &args, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     HIP_LAUNCH_PARAM_END};
    OK(hipModuleLaunchKernel(scale, 2, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
    for (int k = 0; k < N; k++)
        want[k] = 0.5f * (float)k + (float)(k % 4 ? k % 4 + 1 : 20) - 3;
    EQUAL(out.get(), want);
    OK(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale));
    EXPECT(value >= 256);

    /* a grid in work-items whose last workgroup is not full; clang of HIP 6 compiles for full ones, and HIP minds */
    on_device<int> counts(16);
    int *p = counts;
    void *of_count[] = {&p};
    if (HIP_VERSION_MAJOR >= 6) {
        RETURNS(hipErrorInvalidValue,
                hipExtModuleLaunchKernel(count, 150, 1, 1, 64, 1, 1, 0, nullptr, of_count, nullptr));
        (void)hipGetLastError();
        OK(hipModuleUnload(module));
        return;
    }
    OK(hipExtModuleLaunchKernel(count, 150, 1, 1, 64, 1, 1, 0, nullptr, of_count, nullptr));
    EQUAL(counts.get(), (std::vector<int>{64, 64, 22, 0, 0, 0, 0, 0, 19, 19, 19, 19, 19, 19, 18, 18}));
    OK(hipModuleUnload(module));
}

SECTION(modules_refused)
{
    std::vector<char> code = compile(nullptr), garbage(4096, 'x');
    hipModule_t module;

    EXPECT(hipModuleLoadData(&module, garbage.data()) != hipSuccess);
    code[48] ^= 0x10; /* another target's flags (e_flags of the ELF header), or a bundle's header */
    EXPECT(hipModuleLoadData(&module, code.data()) != hipSuccess);
    EXPECT(hipModuleLoad(&module, "/nowhere/at.co") != hipSuccess);
    (void)hipGetLastError();
}

/* ---- what the device says of itself ---- */

__global__ __launch_bounds__(256) void ordinary(int *p)
{
    p[threadIdx.x] += 1;
}

__global__ void much_lds(int *p)
{
    __shared__ int kept[8192];

    kept[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = kept[threadIdx.x ^ 1];
}

SECTION(properties)
{
    hipDeviceProp_t p;
    char name[256] = "";
    size_t bytes = 0;
    int value = 0, driver = 0, runtime = 0, major = 0, minor = 0;

    OK(hipGetDeviceProperties(&p, 0));
    EXPECT(strstr(p.name, "gcnsim") && !strncmp(p.gcnArchName, "gfx", 3));
    EXPECT(p.warpSize == (p.major >= 10 ? 32 : 64));
    EXPECT(p.multiProcessorCount > 0 && p.clockRate > 100000 && p.memoryClockRate > 100000 && p.memoryBusWidth >= 64);
    SAME(p.sharedMemPerBlock, 65536);
    SAME(p.maxThreadsPerBlock, 1024);
    EXPECT(p.totalGlobalMem >= (size_t)1 << 30 && p.l2CacheSize > 0 && p.regsPerBlock > 0);
    EXPECT(p.maxThreadsPerMultiProcessor >= 1024 && p.maxGridSize[0] > 1 << 20 && p.maxThreadsDim[2] >= 64);
    EXPECT(p.canMapHostMemory && p.concurrentKernels);
    OK(hipDeviceGetName(name, sizeof name, 0));
    EXPECT(!strcmp(name, p.name));
    OK(hipDeviceTotalMem(&bytes, 0));
    SAME(bytes, p.totalGlobalMem);
    OK(hipDeviceGetAttribute(&value, hipDeviceAttributeMultiprocessorCount, 0));
    SAME(value, p.multiProcessorCount);
    OK(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 0));
    SAME(value, p.warpSize);
    OK(hipDeviceComputeCapability(&major, &minor, 0));
    SAME(major, p.major);
    OK(hipDriverGetVersion(&driver));
    OK(hipRuntimeGetVersion(&runtime));
    EXPECT(driver > 0 && runtime > 0);
}

SECTION(occupancy)
{
    hipDeviceProp_t p;
    hipFuncAttributes a;
    int blocks = 0, lds = 0, grid = 0, block = 0;

    OK(hipGetDeviceProperties(&p, 0));
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)ordinary, 256, 0));
    EXPECT(blocks >= 4 && blocks * 256 <= p.maxThreadsPerMultiProcessor);
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&lds, (const void *)much_lds, 256, 0));
    EXPECT(lds >= 1 && lds <= 4 && lds < blocks);
    OK(hipOccupancyMaxPotentialBlockSize(&grid, &block, (const void *)ordinary, 0, 0));
    if (block <= 0 || block > 1024 || grid < p.multiProcessorCount)
        WRONG("%d blocks of %d for %d multiprocessors", grid, block, p.multiProcessorCount);
    OK(hipFuncGetAttributes(&a, (const void *)much_lds));
    SAME(a.sharedSizeBytes, 32768);
    OK(hipFuncGetAttributes(&a, (const void *)ordinary));
    EXPECT(a.numRegs > 0 && a.maxThreadsPerBlock >= 256);
}

/* ---- what is refused ---- */

SECTION(errors)
{
    on_device<int> d(2048);
    int *p = nullptr, local = 0, device = -1;
    void *huge = nullptr;

    ordinary<<<1, 2048>>>(d);
    EXPECT(hipGetLastError() != hipSuccess);
    SAME(hipGetLastError(), hipSuccess); /* told once */
    ordinary<<<0, 64>>>(d);
    EXPECT(hipGetLastError() != hipSuccess);
    RETURNS(hipErrorOutOfMemory, hipMalloc(&huge, (size_t)1 << 46));
    EXPECT(!huge);
    RETURNS(hipErrorInvalidValue, hipMemcpy(nullptr, &local, 4, hipMemcpyHostToDevice));
    EXPECT(hipFree(&local) != hipSuccess);
    OK(hipFree(nullptr));
    RETURNS(hipErrorInvalidDevice, hipSetDevice(99));
    OK(hipGetDevice(&device));
    SAME(device, 0);
    EXPECT(hipMemcpy(d, d, 1 << 20, hipMemcpyDeviceToDevice) != hipSuccess);
    EXPECT(hipMemset(d, 0, 1 << 20) != hipSuccess);
    EXPECT(hipHostUnregister(&local) != hipSuccess);
    EXPECT(hipHostGetDevicePointer((void **)&p, &local, 0) != hipSuccess);
    EXPECT(strlen(hipGetErrorString(hipErrorOutOfMemory)) > 5);
    (void)hipGetLastError();
    /* and after all of that, work is done as before */
    ordinary<<<1, 256>>>(d);
    LAUNCHED();
    SAME(d.get()[255], 1);
}

SECTION(textures_refused)
{
    hipChannelFormatDesc format = hipCreateChannelDesc<float>();
    hipArray_t array = nullptr;
    hipTextureObject_t texture = nullptr;
    hipResourceDesc resource = {};
    hipTextureDesc desc = {};
    on_device<float> d(64);

    resource.resType = hipResourceTypeLinear;
    resource.res.linear.devPtr = d.p;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = 256;
    EXPECT(hipMallocArray(&array, &format, 64, 64, hipArrayDefault) != hipSuccess);
    if (HIP_VERSION_MAJOR < 7) /* HIP 7 finds fault with the format first, where the GPU could have images */
        RETURNS(hipErrorNotSupported, hipCreateTextureObject(&texture, &resource, &desc, nullptr));
    else
        EXPECT(hipCreateTextureObject(&texture, &resource, &desc, nullptr) != hipSuccess);
    (void)hipGetLastError();
}
