// where_three: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[true, false, true, false], [false, true, false, false], [true, false, false, true]]> : tensor<3x4xi1>
    %in1 = stablehlo.constant dense<[[-9.0, -2.0, 5.0, 12.0], [-4.0, 3.0, 10.0, -6.0], [1.0, 8.0, -8.0, -1.0]]> : tensor<3x4xf32>
    %in2 = stablehlo.constant dense<[-9.0, -2.0, 5.0, 12.0]> : tensor<4xf32>
    %expected0 = stablehlo.constant dense<[[-9.0, -2.0, 5.0, 12.0], [-9.0, 3.0, 5.0, 12.0], [1.0, -2.0, 5.0, -1.0]]> : tensor<3x4xf32>
    %results:1 = call @tested(%in0, %in1, %in2) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<4xf32>) -> (tensor<3x4xf32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<3x4xi1>, %arg1: tensor<3x4xf32>, %arg2: tensor<4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result"}) {
    %0 = call @_where(%arg0, %arg1, %arg2) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
  func.func private @_where(%arg0: tensor<3x4xi1>, %arg1: tensor<3x4xf32>, %arg2: tensor<4xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<3x4xi1>, tensor<3x4xf32>
    return %1 : tensor<3x4xf32>
  }
}
