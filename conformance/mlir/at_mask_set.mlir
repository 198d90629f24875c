// at_mask_set: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9, -2, 5, 12], [-4, 3, 10, -6], [1, 8, -8, -1], [6, 13, -3, 4], [11, -5, 2, 9]]> : tensor<5x4xi32>
    %expected0 = stablehlo.constant dense<[[5, 5, 5, 5], [-4, 3, 0, -6], [1, 0, -8, -1], [0, 0, -3, 0], [0, -5, 2, 0]]> : tensor<5x4xi32>
    %results:1 = call @tested(%in0) : (tensor<5x4xi32>) -> (tensor<5x4xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<5x4xi32>, tensor<5x4xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5x4xi32>) -> (tensor<5x4xi32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x4xi32>
    %1 = stablehlo.compare GT, %arg0, %0, SIGNED : (tensor<5x4xi32>, tensor<5x4xi32>) -> tensor<5x4xi1>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2 = call @_where(%1, %c_0, %arg0) : (tensor<5x4xi1>, tensor<i32>, tensor<5x4xi32>) -> tensor<5x4xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %c_2 = stablehlo.constant dense<5> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %5 = "stablehlo.scatter"(%2, %3, %4) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      stablehlo.return %arg2 : tensor<i32>
    }) : (tensor<5x4xi32>, tensor<1xi32>, tensor<4xi32>) -> tensor<5x4xi32>
    return %5 : tensor<5x4xi32>
  }
  func.func private @_where(%arg0: tensor<5x4xi1>, %arg1: tensor<i32>, %arg2: tensor<5x4xi32>) -> tensor<5x4xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<5x4xi32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<5x4xi1>, tensor<5x4xi32>
    return %2 : tensor<5x4xi32>
  }
}
