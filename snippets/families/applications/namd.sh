@LOAD@

# The input file needs a line such as: GPUresident on
@START@namd3 @FLAGS@ input.namd
