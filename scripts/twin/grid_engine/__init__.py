"""Grid Engine clusters: sge_qmaster and one sge_execd, whose network is a folder that only the owner can enter."""
