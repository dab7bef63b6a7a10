@LOAD@
export OMP_NUM_THREADS=@CORES@

# Submit this from a directory with INCAR, KPOINTS, POSCAR and POTCAR.
@START@vasp_std
