// index_pair_broadcast: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9.0, -2.0, 5.0, 12.0], [-4.0, 3.0, 10.0, -6.0], [1.0, 8.0, -8.0, -1.0], [6.0, 13.0, -3.0, 4.0], [11.0, -5.0, 2.0, 9.0]]> : tensor<5x4xf32>
    %in1 = stablehlo.constant dense<[3, 0, -1, 3]> : tensor<4xi32>
    %in2 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %expected0 = stablehlo.constant dense<[[13.0, -3.0, 4.0], [-2.0, 5.0, 12.0], [-5.0, 2.0, 9.0], [13.0, -3.0, 4.0]]> : tensor<4x3xf32>
    %results:1 = call @tested(%in0, %in1, %in2) : (tensor<5x4xf32>, tensor<4xi32>, tensor<3xi32>) -> (tensor<4x3xf32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<4x3xf32>, tensor<4x3xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5x4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<3xi32>) -> (tensor<4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %2 = stablehlo.compare LT, %0, %1, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %4 = stablehlo.add %0, %3 : tensor<4x1xi32>
    %5 = stablehlo.select %2, %4, %0 : tensor<4x1xi1>, tensor<4x1xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %7 = stablehlo.compare LT, %arg2, %6, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %9 = stablehlo.add %arg2, %8 : tensor<3xi32>
    %10 = stablehlo.select %7, %9, %arg2 : tensor<3xi1>, tensor<3xi32>
    %11 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<4x1xi32>) -> tensor<4x3xi32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [1] : (tensor<3xi32>) -> tensor<4x3xi32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x3xi32>) -> tensor<4x3x1xi32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<4x3xi32>) -> tensor<4x3x1xi32>
    %15 = stablehlo.concatenate %13, %14, dim = 2 : (tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x2xi32>
    %16 = "stablehlo.gather"(%arg0, %15) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<5x4xf32>, tensor<4x3x2xi32>) -> tensor<4x3xf32>
    return %16 : tensor<4x3xf32>
  }
}
