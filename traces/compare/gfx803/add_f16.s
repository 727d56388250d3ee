; two plain f16 additions: the yardstick for the packed ones
	v_add_f16_e32 v2, v0, v1
	v_add_f16_e32 v5, v3, v4
