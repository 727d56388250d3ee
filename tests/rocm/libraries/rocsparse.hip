/* rocSPARSE: a sparse matrix times a vector and times a dense matrix, and its transpose. */
#include "library.h"

#include <rocsparse/rocsparse.h>

int main()
{
    const int rows = 1500, columns = 1100, dense = 7;
    std::vector<int> ptr = {0}, col;
    std::vector<double> val;
    uint32_t state = 1;

    for (int r = 0; r < rows; r++) {
        int step = 1 + (int)(next_number(state) % (r % 50 ? 120 : 4)); /* some rows are long */
        for (int c = (int)(next_number(state) % 30); c < columns; c += step) {
            col.push_back(c);
            val.push_back((double)(next_number(state) % 2001) / 1000 - 1);
        }
        ptr.push_back((int)col.size());
    }
    const int nnz = (int)col.size();
    std::vector<double> x((size_t)columns * dense), y((size_t)rows * dense, 0.5);
    for (double &v : x)
        v = (double)(next_number(state) % 2001) / 1000 - 1;

    on_device<int> d_ptr(ptr), d_col(col);
    on_device<double> d_val(val), d_x(x), d_y(y);
    const double alpha = 2, beta = -3;
    rocsparse_handle handle;
    rocsparse_mat_descr descr;
    rocsparse_mat_info info;

    OK(rocsparse_create_handle(&handle));
    OK(rocsparse_create_mat_descr(&descr));
    OK(rocsparse_create_mat_info(&info));

    auto reference = [&](int columns_of_x) {
        std::vector<double> want(y);
        for (int j = 0; j < columns_of_x; j++)
            for (int r = 0; r < rows; r++) {
                double sum = 0;
                for (int k = ptr[r]; k < ptr[r + 1]; k++)
                    sum += val[k] * x[(size_t)j * columns + col[k]];
                want[(size_t)j * rows + r] = alpha * sum + beta * want[(size_t)j * rows + r];
            }
        return want;
    };

    OK(rocsparse_dcsrmv(handle, rocsparse_operation_none, rows, columns, nnz, &alpha, descr, d_val, d_ptr, d_col, nullptr,
                        d_x, &beta, d_y));
    expect_same("csrmv", d_y.get(), reference(1), 1e-12);

    OK(hipMemcpy(d_y, y.data(), y.size() * sizeof(double), hipMemcpyHostToDevice));
    OK(rocsparse_dcsrmv_analysis(handle, rocsparse_operation_none, rows, columns, nnz, descr, d_val, d_ptr, d_col, info));
    OK(rocsparse_dcsrmv(handle, rocsparse_operation_none, rows, columns, nnz, &alpha, descr, d_val, d_ptr, d_col, info,
                        d_x, &beta, d_y));
    expect_same("csrmv, analysed", d_y.get(), reference(1), 1e-12);

    OK(hipMemcpy(d_y, y.data(), y.size() * sizeof(double), hipMemcpyHostToDevice));
    OK(rocsparse_dcsrmm(handle, rocsparse_operation_none, rocsparse_operation_none, rows, dense, columns, nnz, &alpha,
                        descr, d_val, d_ptr, d_col, d_x, columns, &beta, d_y, rows));
    expect_same("csrmm", d_y.get(), reference(dense), 1e-12);

    std::vector<int> t_ptr(columns + 1), t_row(nnz);
    std::vector<double> t_val(nnz);
    for (int c : col)
        t_ptr[c + 1]++;
    for (int c = 0; c < columns; c++)
        t_ptr[c + 1] += t_ptr[c];
    std::vector<int> at(t_ptr);
    for (int r = 0; r < rows; r++)
        for (int k = ptr[r]; k < ptr[r + 1]; k++) {
            t_row[at[col[k]]] = r;
            t_val[at[col[k]]++] = val[k];
        }
    on_device<int> d_t_ptr(columns + 1), d_t_row(nnz);
    on_device<double> d_t_val(nnz);
    size_t bytes = 0;
    OK(rocsparse_csr2csc_buffer_size(handle, rows, columns, nnz, d_ptr, d_col, rocsparse_action_numeric, &bytes));
    on_device<char> buffer(bytes);
    OK(rocsparse_dcsr2csc(handle, rows, columns, nnz, d_val, d_ptr, d_col, d_t_val, d_t_row, d_t_ptr,
                          rocsparse_action_numeric, rocsparse_index_base_zero, buffer));
    expect_same("csr2csc, columns", d_t_ptr.get(), t_ptr, 0);
    expect_same("csr2csc, rows", d_t_row.get(), t_row, 0);
    expect_same("csr2csc, values", d_t_val.get(), t_val, 0);
    return 0;
}
