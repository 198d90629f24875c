// at_max_uint32: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[0, 7, 14, 21], [5, 12, 19, 3], [10, 17, 1, 8], [15, 22, 6, 13], [20, 4, 11, 18]]> : tensor<5x4xui32>
    %in1 = stablehlo.constant dense<[3, 0, -1, 3]> : tensor<4xi32>
    %in2 = stablehlo.constant dense<[[21, 14, 7, 0], [3, 19, 12, 5], [8, 1, 17, 10], [13, 6, 22, 15]]> : tensor<4x4xui32>
    %expected0 = stablehlo.constant dense<[[3, 19, 14, 21], [5, 12, 19, 3], [10, 17, 1, 8], [21, 22, 22, 15], [20, 4, 17, 18]]> : tensor<5x4xui32>
    %results:1 = call @tested(%in0, %in1, %in2) : (tensor<5x4xui32>, tensor<4xi32>, tensor<4x4xui32>) -> (tensor<5x4xui32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<5x4xui32>, tensor<5x4xui32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5x4xui32>, %arg1: tensor<4xi32>, %arg2: tensor<4x4xui32>) -> (tensor<5x4xui32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4xi1>, tensor<4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %6 = "stablehlo.scatter"(%arg0, %5, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<ui32>, %arg4: tensor<ui32>):
      %7 = stablehlo.maximum %arg3, %arg4 : tensor<ui32>
      stablehlo.return %7 : tensor<ui32>
    }) : (tensor<5x4xui32>, tensor<4x1xi32>, tensor<4x4xui32>) -> tensor<5x4xui32>
    return %6 : tensor<5x4xui32>
  }
}
