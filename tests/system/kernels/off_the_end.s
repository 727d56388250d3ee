; Runs past its last instruction: s_endpgm is missing.
	.include "kernel.inc"
	kernel_begin off_the_end
	s_nop 0
	s_branch .Lfar
	.p2align 8
	s_endpgm
	.set .Lfar, off_the_end+0x8000
	kernel_end off_the_end
	.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx1201
amdhsa.kernels:
  - .name: off_the_end
    .symbol: off_the_end.kd
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
