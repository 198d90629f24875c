// floor_ceil_round: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[1.5, -1.5, 2.5, -0.4000000059604645, 0.0]> : tensor<5xf32>
    %expected0 = stablehlo.constant dense<[1.0, -2.0, 2.0, -1.0, 0.0]> : tensor<5xf32>
    %expected1 = stablehlo.constant dense<[2.0, -1.0, 3.0, -0.0, 0.0]> : tensor<5xf32>
    %expected2 = stablehlo.constant dense<[2.0, -2.0, 2.0, -0.0, 0.0]> : tensor<5xf32>
    %expected3 = stablehlo.constant dense<[1.0, -1.0, 2.0, -0.0, 0.0]> : tensor<5xf32>
    %expected4 = stablehlo.constant dense<[1.0, -1.0, 1.0, -1.0, 0.0]> : tensor<5xf32>
    %results:5 = call @tested(%in0) : (tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<5xf32>, tensor<5xf32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#1, %expected1) {has_side_effect = true} : (tensor<5xf32>, tensor<5xf32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#2, %expected2) {has_side_effect = true} : (tensor<5xf32>, tensor<5xf32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#3, %expected3) {has_side_effect = true} : (tensor<5xf32>, tensor<5xf32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#4, %expected4) {has_side_effect = true} : (tensor<5xf32>, tensor<5xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5xf32>) -> (tensor<5xf32> {jax.result_info = "result[0]"}, tensor<5xf32> {jax.result_info = "result[1]"}, tensor<5xf32> {jax.result_info = "result[2]"}, tensor<5xf32> {jax.result_info = "result[3]"}, tensor<5xf32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.floor %arg0 : tensor<5xf32>
    %1 = stablehlo.ceil %arg0 : tensor<5xf32>
    %2 = call @round(%arg0) : (tensor<5xf32>) -> tensor<5xf32>
    %3 = call @trunc(%arg0) : (tensor<5xf32>) -> tensor<5xf32>
    %4 = stablehlo.sign %arg0 : tensor<5xf32>
    return %0, %1, %2, %3, %4 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
  }
  func.func private @round(%arg0: tensor<5xf32>) -> tensor<5xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<5xf32>
    return %0 : tensor<5xf32>
  }
  func.func private @trunc(%arg0: tensor<5xf32>) -> tensor<5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %1 = stablehlo.compare LT, %arg0, %0, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %2 = stablehlo.ceil %arg0 : tensor<5xf32>
    %3 = stablehlo.floor %arg0 : tensor<5xf32>
    %4 = call @_where(%1, %2, %3) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    return %4 : tensor<5xf32>
  }
  func.func private @_where(%arg0: tensor<5xi1>, %arg1: tensor<5xf32>, %arg2: tensor<5xf32>) -> tensor<5xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<5xi1>, tensor<5xf32>
    return %0 : tensor<5xf32>
  }
}
