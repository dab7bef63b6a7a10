# Install torch with CUDA in your own R library: 2 GB, so allow ten minutes.
options(timeout = 600)
cran <- "https://cloud.r-project.org"
version <- available.packages(repos = cran)["torch", "Version"]
gpu <- sprintf("https://torch-cdn.mlverse.org/packages/cu128/%s/", version)
install.packages("torch", repos = c(gpu, cran), lib = Sys.getenv("R_LIBS_USER"))
