# y = a x + y on a GPU. AMDGPU.jl is very similar, but launches kernels with @roc.
using CUDA

function axpy!(y, a, x)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x # Julia counts from 1
    if i <= length(y) # the last block extends past the end
        @inbounds y[i] += a * x[i]
    end
    return
end

n = 1_000_000
x = CUDA.fill(1.0f0, n) # created on the GPU
y = CUDA.fill(2.0f0, n)

y .+= 3.0f0 .* x # without your own kernel: y is 5
@cuda threads = 256 blocks = cld(n, 256) axpy!(y, 3.0f0, x) # with it: y is 8

@assert all(Array(y) .== 8) # Array waits for the GPU, and copies to the host
println("$n elements are correct, on ", CUDA.name(device()))
