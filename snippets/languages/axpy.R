# y = a x + y on a GPU.
library(torch)
stopifnot(cuda_is_available())

n <- 1000000
x <- torch_ones(n, device = "cuda") # created on the GPU
y <- torch_full(n, 2, device = "cuda")

y <- 3 * x + y

stopifnot(all(as.array(y$cpu()) == 5)) # cpu() copies to the host
cat(n, "elements are correct\n")
