// at_add_vmap: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9.0, -2.0, 5.0, 12.0, -4.0], [3.0, 10.0, -6.0, 1.0, 8.0], [-8.0, -1.0, 6.0, 13.0, -3.0]]> : tensor<3x5xf32>
    %in1 = stablehlo.constant dense<[[1, 0], [4, 4], [-1, 2]]> : tensor<3x2xi32>
    %in2 = stablehlo.constant dense<[[-9.0, -2.0], [5.0, 12.0], [-4.0, 3.0]]> : tensor<3x2xf32>
    %expected0 = stablehlo.constant dense<[[-11.0, -11.0, 5.0, 12.0, -4.0], [3.0, 10.0, -6.0, 1.0, 25.0], [-8.0, -1.0, 9.0, 13.0, -7.0]]> : tensor<3x5xf32>
    %results:1 = call @tested(%in0, %in1, %in2) : (tensor<3x5xf32>, tensor<3x2xi32>, tensor<3x2xf32>) -> (tensor<3x5xf32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<3x5xf32>, %arg1: tensor<3x2xi32>, %arg2: tensor<3x2xf32>) -> (tensor<3x5xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<3x2xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<3x2xi1>, tensor<3x2xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<3x2xi32>) -> tensor<3x2x1xi32>
    %6 = "stablehlo.scatter"(%arg0, %5, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %7 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }) : (tensor<3x5xf32>, tensor<3x2x1xi32>, tensor<3x2xf32>) -> tensor<3x5xf32>
    return %6 : tensor<3x5xf32>
  }
}
