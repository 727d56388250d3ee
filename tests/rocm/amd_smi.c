/* libamd_smi.so.26 for AMD's rocrtst, which prints the clocks and temperatures of a GPU with it: there is none, so
 * every question is answered with "not supported" (AMDSMI_STATUS_NOT_SUPPORTED). */
#define NOT_SUPPORTED(name)                                                                                            \
    int name(void);                                                                                                    \
    int name(void)                                                                                                     \
    {                                                                                                                  \
        return 2;                                                                                                      \
    }

NOT_SUPPORTED(amdsmi_init)
NOT_SUPPORTED(amdsmi_shut_down)
NOT_SUPPORTED(amdsmi_get_clk_freq)
NOT_SUPPORTED(amdsmi_get_gpu_board_info)
NOT_SUPPORTED(amdsmi_get_gpu_fan_speed)
NOT_SUPPORTED(amdsmi_get_gpu_fan_speed_max)
NOT_SUPPORTED(amdsmi_get_gpu_id)
NOT_SUPPORTED(amdsmi_get_gpu_overdrive_level)
NOT_SUPPORTED(amdsmi_get_gpu_perf_level)
NOT_SUPPORTED(amdsmi_get_processor_handles)
NOT_SUPPORTED(amdsmi_get_processor_type)
NOT_SUPPORTED(amdsmi_get_socket_handles)
NOT_SUPPORTED(amdsmi_get_temp_metric)
