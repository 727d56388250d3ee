; the halves of v0 change places: a funnel shift of v0 with itself
	v_alignbit_b32 v1, v0, v0, 16
