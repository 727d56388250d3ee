; two plain f16 multiply-adds, the yardstick; three addresses make them VOP3
	v_mad_f16 v3, v0, v1, v2
	v_mad_f16 v7, v4, v5, v6
