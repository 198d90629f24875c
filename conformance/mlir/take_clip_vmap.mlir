// take_clip_vmap: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9, -2, 5, 12, -4, 3], [10, -6, 1, 8, -8, -1]]> : tensor<2x6xi32>
    %in1 = stablehlo.constant dense<[[3, 0, -1, 7, -9, 5], [5, -9, 7, -1, 0, 3]]> : tensor<2x6xi32>
    %expected0 = stablehlo.constant dense<[[12, -9, -9, 3, -9, 3], [-1, 10, -1, 10, 10, 8]]> : tensor<2x6xi32>
    %results:1 = call @tested(%in0, %in1) : (tensor<2x6xi32>, tensor<2x6xi32>) -> (tensor<2x6xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<2x6xi32>, tensor<2x6xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<2x6xi32>, %arg1: tensor<2x6xi32>) -> (tensor<2x6xi32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg0, %arg1) : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi32>
    return %0 : tensor<2x6xi32>
  }
  func.func private @_take(%arg0: tensor<2x6xi32>, %arg1: tensor<2x6xi32>) -> tensor<2x6xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<2x6xi32>) -> tensor<2x6x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi32>, tensor<2x6x1xi32>) -> tensor<2x6xi32>
    return %1 : tensor<2x6xi32>
  }
}
