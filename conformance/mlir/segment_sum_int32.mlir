// segment_sum_int32: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9, -2], [5, 12], [-4, 3], [10, -6], [1, 8], [-8, -1]]> : tensor<6x2xi32>
    %in1 = stablehlo.constant dense<[0, 3, 1, 0, 9, 1]> : tensor<6xi32>
    %expected0 = stablehlo.constant dense<[[1, -8], [-12, 2], [0, 0], [5, 12]]> : tensor<4x2xi32>
    %results:1 = call @tested(%in0, %in1) : (tensor<6x2xi32>, tensor<6xi32>) -> (tensor<4x2xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<4x2xi32>, tensor<4x2xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<6x2xi32>, %arg1: tensor<6xi32>) -> (tensor<4x2xi32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x2xi32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %2 = "stablehlo.scatter"(%0, %1, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %3 = stablehlo.add %arg2, %arg3 : tensor<i32>
      stablehlo.return %3 : tensor<i32>
    }) : (tensor<4x2xi32>, tensor<6x1xi32>, tensor<6x2xi32>) -> tensor<4x2xi32>
    return %2 : tensor<4x2xi32>
  }
}
