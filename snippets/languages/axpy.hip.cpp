// y = a x + y with HIP. For CUDA, replace hip with cuda, and omit the first include.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <vector>

__global__ void axpy(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i]; // the last block extends past the end
}

int main() {
    const int n = 1000000;
    std::vector<float> xs(n, 1), ys(n, 2);
    float *x, *y;
    const size_t bytes = n * sizeof(float);
    if (hipMalloc(&x, bytes) != hipSuccess) return 1; // for example, without a GPU
    if (hipMalloc(&y, bytes) != hipSuccess) return 1;
    hipMemcpy(x, xs.data(), bytes, hipMemcpyHostToDevice);
    hipMemcpy(y, ys.data(), bytes, hipMemcpyHostToDevice);
    axpy<<<(n + 255) / 256, 256>>>(n, 3, x, y);
    hipMemcpy(ys.data(), y, bytes, hipMemcpyDeviceToHost); // waits for the kernel
    for (float value : ys)
        if (value != 5) return 1;
    std::printf("%d elements are correct\n", n);
}
