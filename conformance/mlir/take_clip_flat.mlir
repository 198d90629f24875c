// take_clip_flat: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9.0, -2.0, 5.0, 12.0], [-4.0, 3.0, 10.0, -6.0], [1.0, 8.0, -8.0, -1.0], [6.0, 13.0, -3.0, 4.0], [11.0, -5.0, 2.0, 9.0]]> : tensor<5x4xf32>
    %in1 = stablehlo.constant dense<[[3, 0, -1], [7, -9, 5]]> : tensor<2x3xi32>
    %expected0 = stablehlo.constant dense<[[12.0, -9.0, -9.0], [-6.0, -9.0, 3.0]]> : tensor<2x3xf32>
    %results:1 = call @tested(%in0, %in1) : (tensor<5x4xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5x4xf32>, %arg1: tensor<2x3xi32>) -> (tensor<2x3xf32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg0, %arg1) : (tensor<5x4xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func private @_take(%arg0: tensor<5x4xf32>, %arg1: tensor<2x3xi32>) -> tensor<2x3xf32> {
    %0 = stablehlo.reshape %arg0 : (tensor<5x4xf32>) -> tensor<20xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %2 = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<20xf32>, tensor<2x3x1xi32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
