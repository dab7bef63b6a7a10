// y = a x + y on a GPU with OpenMP. Without a GPU, the CPU runs the loop.
#include <cstdio>
#include <omp.h>
#include <vector>

int main() {
    const int n = 1000000;
    const float a = 3;
    std::vector<float> xs(n, 1), ys(n, 2);
    float *x = xs.data(), *y = ys.data();
    int on_host = 1;

// x is copied to the GPU, and y to the GPU and back.
#pragma omp target teams distribute parallel for map(to : x[ : n]) map(tofrom : y[ : n])
    for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];

#pragma omp target map(from : on_host)
    on_host = omp_is_initial_device();

    for (float value : ys)
        if (value != 5) return 1;
    std::printf("%d elements are correct, on the %s\n", n, on_host ? "CPU" : "GPU");
}
