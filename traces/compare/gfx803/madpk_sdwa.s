; v_madpk_f16 v3, v0, v1, v2 (v3 = v0 * v1 + v2 in both halves): there is no SDWA form with three sources, so product and
; sum are two instructions, each with a plain form for the low half and an SDWA form for the high one
	v_mul_f16_e32 v3, v0, v1
	v_mul_f16_sdwa v3, v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_1
	v_add_f16_sdwa v4, v3, v2 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:WORD_1
	v_add_f16_sdwa v4, v3, v2 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 src1_sel:WORD_0
