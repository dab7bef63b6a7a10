@LOAD@
export OMP_NUM_THREADS=@CORES@

@START@cp2k.psmp -i cp2k.inp -o cp2k.out
