@LOAD@

# Much faster if the input supports it: GPUresident on
@START@namd3 @FLAGS@ input.namd
