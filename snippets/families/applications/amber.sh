@LOAD@

@START@@PROGRAM@ -O -i mdin -p prmtop -c inpcrd -o mdout -r restrt -x mdcrd
