/* For code object v2 (tests/system/test_v2.c): clang 14, -mcode-object-version=2. A call, LDS, scratch, values of several
 * sizes, and alignment between arguments. */
typedef struct {
    int a;
    float b[3];
} shape;

__attribute__((noinline)) int square(int x)
{
    return x * x + 3;
}

kernel void calls(global int *p, int n)
{
    int i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();

    p[i] = square(i) + n;
}

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void mixes(global int *p, const global float *q, shape s,
                                                                  local int *l, char c, float4 v)
{
    __local int turned[64];
    volatile int kept[16];
    int item = __builtin_amdgcn_workitem_id_x(), i = __builtin_amdgcn_workgroup_id_x() * 64 + item;

    turned[item] = i;
    l[item] = 2 * i;
    __builtin_amdgcn_s_barrier();
    kept[i & 15] = turned[(item + 1) & 63] + l[item ^ 1];
    p[i] = kept[i & 15] + s.a + c + (int)(q[i] + v.x);
}
