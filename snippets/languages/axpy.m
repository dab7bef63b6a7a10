% y = a x + y on a GPU. Needs the Parallel Computing Toolbox and an NVIDIA GPU.
n = 1000000;
x = ones(n, 1, "single", "gpuArray"); % created on the GPU
y = 2 * ones(n, 1, "single", "gpuArray");

y = 3 * x + y;

assert(all(gather(y) == 5)) % gather copies to the host
fprintf("%d elements are correct, on %s\n", n, gpuDevice().Name)
