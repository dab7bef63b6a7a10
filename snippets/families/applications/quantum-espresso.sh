@LOAD@
export OMP_NUM_THREADS=@CORES@

@START@pw.x -in pw.in > pw.out
