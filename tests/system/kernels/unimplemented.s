; A legal instruction that gcnsim does not execute.
	.include "kernel.inc"
	kernel_begin unimplemented
	s_nop 0
	global_atomic_ordered_add_b64 v[0:1], v2, v[4:5], s[0:1] th:TH_ATOMIC_RETURN
	s_endpgm
	kernel_end unimplemented
	.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx1201
amdhsa.kernels:
  - .name: unimplemented
    .symbol: unimplemented.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 1024
    .args:
      - .name: out
        .offset: 0
        .size: 8
        .value_kind: global_buffer
        .address_space: global
...
	.end_amdgpu_metadata
