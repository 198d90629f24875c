// segment_sum_float32: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9.0, -2.0], [5.0, 12.0], [-4.0, 3.0], [10.0, -6.0], [1.0, 8.0], [-8.0, -1.0]]> : tensor<6x2xf32>
    %in1 = stablehlo.constant dense<[0, 3, 1, 0, 9, 1]> : tensor<6xi32>
    %expected0 = stablehlo.constant dense<[[1.0, -8.0], [-12.0, 2.0], [0.0, 0.0], [5.0, 12.0]]> : tensor<4x2xf32>
    %results:1 = call @tested(%in0, %in1) : (tensor<6x2xf32>, tensor<6xi32>) -> (tensor<4x2xf32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<4x2xf32>, tensor<4x2xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<6x2xf32>, %arg1: tensor<6xi32>) -> (tensor<4x2xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %2 = "stablehlo.scatter"(%0, %1, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %3 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<4x2xf32>, tensor<6x1xi32>, tensor<6x2xf32>) -> tensor<4x2xf32>
    return %2 : tensor<4x2xf32>
  }
}
