// at_scalar_set: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9, -2, 5, 12], [-4, 3, 10, -6], [1, 8, -8, -1], [6, 13, -3, 4], [11, -5, 2, 9]]> : tensor<5x4xi32>
    %in1 = stablehlo.constant dense<-2> : tensor<i32>
    %expected0 = stablehlo.constant dense<[[-9, -2, 5, 12], [-4, 3, 10, -6], [1, 8, -8, -1], [3, 3, 3, 3], [11, -5, 2, 9]]> : tensor<5x4xi32>
    %results:1 = call @tested(%in0, %in1) : (tensor<5x4xi32>, tensor<i32>) -> (tensor<5x4xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<5x4xi32>, tensor<5x4xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5x4xi32>, %arg1: tensor<i32>) -> (tensor<5x4xi32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg1 : tensor<i1>, tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %5 = "stablehlo.scatter"(%arg0, %3, %4) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      stablehlo.return %arg3 : tensor<i32>
    }) : (tensor<5x4xi32>, tensor<1xi32>, tensor<4xi32>) -> tensor<5x4xi32>
    return %5 : tensor<5x4xi32>
  }
}
