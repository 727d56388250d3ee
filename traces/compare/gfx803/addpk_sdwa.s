; v_addpk_f16 v2, v0, v1: gfx8 has no packed addition, but SDWA picks and places the words. The plain form adds the low
; halves (and clears the upper word), the SDWA form puts the high sum above.
	v_add_f16_e32 v2, v0, v1
	v_add_f16_sdwa v2, v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_1
