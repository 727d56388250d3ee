/* Kernels whose code tests/system/test_objdump.c has disassembled: more registers than 256, halves, LDS, atomics,
 * doubles, scalar loops. Nothing runs them. */
__attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(64, 64), amdgpu_waves_per_eu(1, 1))) void
many(__attribute__((address_space(1))) float *p, __attribute__((address_space(1))) double *d, int n)
{
    unsigned l = __builtin_amdgcn_workitem_id_x();
    float v[320];
#pragma unroll
    for (int k = 0; k < 320; k++)
        v[k] = p[64 * k + l];
    for (int r = 0; r < n; r++) {
#pragma unroll
        for (int k = 0; k < 320; k++)
            v[k] = v[k] * v[(k * 7 + 3) % 320] + v[(k + 150) % 320];
    }
    double s = 0;
#pragma unroll
    for (int k = 0; k < 320; k++) {
        p[64 * k + l] = v[k];
        s += (double)v[k];
    }
    d[l] = __builtin_sqrt(s) / 3.0;
}
__attribute__((amdgpu_kernel)) void small(__attribute__((address_space(1))) _Float16 *h,
                                          __attribute__((address_space(1))) short *q,
                                          __attribute__((address_space(1))) unsigned *a,
                                          __attribute__((address_space(3))) float *lds, long n)
{
    unsigned l = __builtin_amdgcn_workitem_id_x();
    h[l] = h[l] * h[l + 1] + h[l + 2];
    q[l] = (short)(q[l] * q[l + 5] >> 2);
    lds[l] = (float)h[l];
    __builtin_amdgcn_s_barrier();
    __atomic_fetch_add(&a[l & 7], (unsigned)lds[63 - l], __ATOMIC_RELAXED);
    for (long k = 0; k < n; k++)
        a[k * 3] = a[k * 5] / (a[k] | 1) + __builtin_amdgcn_readfirstlane(a[k + 1]);
}
