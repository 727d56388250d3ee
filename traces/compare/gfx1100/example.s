        v_mul_f32 v1, v1, v2
        v_exp_f32 v3, v1
        v_add_f32 v1, v3, v2
        ds_read_b32 v4, v0
        s_waitcnt lgkmcnt(0)
