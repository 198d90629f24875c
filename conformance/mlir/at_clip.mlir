// at_clip: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9, -2, 5, 12], [-4, 3, 10, -6], [1, 8, -8, -1], [6, 13, -3, 4], [11, -5, 2, 9]]> : tensor<5x4xi32>
    %in1 = stablehlo.constant dense<[3, 0, -1, 7, -9, 5]> : tensor<6xi32>
    %expected0 = stablehlo.constant dense<[[-7, 0, 7, 14], [-4, 3, 10, -6], [1, 8, -8, -1], [7, 14, -2, 5], [14, -2, 5, 12]]> : tensor<5x4xi32>
    %results:1 = call @tested(%in0, %in1) : (tensor<5x4xi32>, tensor<6xi32>) -> (tensor<5x4xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<5x4xi32>, tensor<5x4xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5x4xi32>, %arg1: tensor<6xi32>) -> (tensor<5x4xi32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<6xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<6xi1>, tensor<6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<6x4xi32>
    %c_2 = stablehlo.constant dense<4> : tensor<1xi32>
    %c_3 = stablehlo.constant dense<2147483647> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.minimum %c_2, %7 : tensor<1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<1xi32>) -> tensor<6x1xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
    %11 = stablehlo.clamp %10, %5, %9 : tensor<6x1xi32>
    %12 = "stablehlo.scatter"(%arg0, %11, %6) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %13 = stablehlo.add %arg2, %arg3 : tensor<i32>
      stablehlo.return %13 : tensor<i32>
    }) : (tensor<5x4xi32>, tensor<6x1xi32>, tensor<6x4xi32>) -> tensor<5x4xi32>
    return %12 : tensor<5x4xi32>
  }
}
