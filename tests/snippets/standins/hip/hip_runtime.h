// Stands in for HIP: a CPU runs the threads of a kernel one after the other. The tests replace <<<...>>> by launch().
#include <cstdlib>
#include <cstring>

#define __global__
struct { int x; } blockIdx, blockDim, threadIdx;
enum { hipSuccess, hipMemcpyHostToDevice, hipMemcpyDeviceToHost };

template <class T> int hipMalloc(T **place, size_t bytes) {
    return (*place = static_cast<T *>(std::malloc(bytes))) ? hipSuccess : 1;
}
inline int hipMemcpy(void *to, const void *from, size_t bytes, int) { return std::memcpy(to, from, bytes) ? 0 : 1; }

template <class Kernel, class... Arguments> void launch(Kernel kernel, int blocks, int threads, Arguments... arguments) {
    blockDim.x = threads;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++) kernel(arguments...);
}
