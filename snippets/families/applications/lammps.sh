@LOAD@
export OMP_NUM_THREADS=1

@START@lmp @FLAGS@ -in in.lammps
