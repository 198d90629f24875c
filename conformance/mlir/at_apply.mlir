// at_apply: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9.0, -2.0, 5.0, 12.0], [-4.0, 3.0, 10.0, -6.0], [1.0, 8.0, -8.0, -1.0], [6.0, 13.0, -3.0, 4.0], [11.0, -5.0, 2.0, 9.0]]> : tensor<5x4xf32>
    %in1 = stablehlo.constant dense<[0, 2]> : tensor<2xi32>
    %expected0 = stablehlo.constant dense<[[9.0, 2.0, 5.0, 12.0], [-4.0, 3.0, 10.0, -6.0], [1.0, 8.0, 8.0, 1.0], [6.0, 13.0, -3.0, 4.0], [11.0, -5.0, 2.0, 9.0]]> : tensor<5x4xf32>
    %results:1 = call @tested(%in0, %in1) : (tensor<5x4xf32>, tensor<2xi32>) -> (tensor<5x4xf32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<5x4xf32>, tensor<5x4xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5x4xf32>, %arg1: tensor<2xi32>) -> (tensor<5x4xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<2xi1>, tensor<2xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %7 = "stablehlo.scatter"(%arg0, %5, %6) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %8 = stablehlo.abs %arg2 : tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<5x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<5x4xf32>
    return %7 : tensor<5x4xf32>
  }
}
