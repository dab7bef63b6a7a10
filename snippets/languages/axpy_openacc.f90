! y = a x + y on a GPU with OpenACC. Without a GPU, the CPU runs the loop.
program axpy
  use openacc
  implicit none
  integer, parameter :: n = 1000000
  real, parameter :: a = 3
  real, allocatable :: x(:), y(:)
  integer :: i

  allocate (x(n), y(n))
  x = 1
  y = 2

  !$acc parallel loop copyin(x) copy(y) ! copies x to the GPU, and y there and back
  do i = 1, n
    y(i) = a*x(i) + y(i)
  end do

  if (any(y /= 5)) error stop "The result is wrong."
  print '(i0, a)', n, " elements are correct"
  print '(a, i0)', "GPUs: ", acc_get_num_devices(acc_device_not_host)
end program
