@LOAD@
export OMP_NUM_THREADS=@CORES@

# -maxh is a little less than the time limit, so that the run ends with a checkpoint.
@START@@PROGRAM@ mdrun -s topol.tpr -cpi state.cpt -maxh 3.9 -ntomp "$OMP_NUM_THREADS" \
    -nb gpu -pme gpu -bonded gpu -update gpu
