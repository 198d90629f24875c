// cond_index: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9.0, -2.0, 5.0, 12.0], [-4.0, 3.0, 10.0, -6.0], [1.0, 8.0, -8.0, -1.0], [6.0, 13.0, -3.0, 4.0], [11.0, -5.0, 2.0, 9.0]]> : tensor<5x4xf32>
    %in1 = stablehlo.constant dense<[3, 0, -1, 3]> : tensor<4xi32>
    %expected0 = stablehlo.constant dense<[[6.0, 13.0, -3.0, 4.0], [-9.0, -2.0, 5.0, 12.0], [11.0, -5.0, 2.0, 9.0], [6.0, 13.0, -3.0, 4.0]]> : tensor<4x4xf32>
    %results:1 = call @tested(%in0, %in1) : (tensor<5x4xf32>, tensor<4xi32>) -> (tensor<4x4xf32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<4x4xf32>, tensor<4x4xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5x4xf32>, %arg1: tensor<4xi32>) -> (tensor<4x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg1 [0:1] : (tensor<4xi32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %2 = stablehlo.compare GT, %1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.convert %2 : (tensor<i1>) -> tensor<i32>
    %4 = "stablehlo.case"(%3) ({
      %c_0 = stablehlo.constant dense<0> : tensor<i32>
      %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %6 = stablehlo.compare LT, %arg1, %5, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %c_1 = stablehlo.constant dense<5> : tensor<i32>
      %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %8 = stablehlo.add %arg1, %7 : tensor<4xi32>
      %9 = stablehlo.select %6, %8, %arg1 : tensor<4xi1>, tensor<4xi32>
      %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
      %11 = "stablehlo.gather"(%arg0, %10) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<4x1xi32>) -> tensor<4x4xf32>
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      %13 = stablehlo.multiply %11, %12 : tensor<4x4xf32>
      stablehlo.return %13 : tensor<4x4xf32>
    }, {
      %c_0 = stablehlo.constant dense<0> : tensor<i32>
      %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %6 = stablehlo.compare LT, %arg1, %5, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %c_1 = stablehlo.constant dense<5> : tensor<i32>
      %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %8 = stablehlo.add %arg1, %7 : tensor<4xi32>
      %9 = stablehlo.select %6, %8, %arg1 : tensor<4xi1>, tensor<4xi32>
      %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
      %11 = "stablehlo.gather"(%arg0, %10) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<4x1xi32>) -> tensor<4x4xf32>
      stablehlo.return %11 : tensor<4x4xf32>
    }) : (tensor<i32>) -> tensor<4x4xf32>
    return %4 : tensor<4x4xf32>
  }
}
