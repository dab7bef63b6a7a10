@LOAD@
export OMP_NUM_THREADS=@CORES@

# In a folder with INCAR, KPOINTS, POSCAR and POTCAR.
@START@vasp_std
