qrsh -l h_rt=01:00:00,coproc_v100=1 -pty y bash
