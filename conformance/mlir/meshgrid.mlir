// meshgrid: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[-9, -2, 5]> : tensor<3xi32>
    %in1 = stablehlo.constant dense<[-9, -2]> : tensor<2xi32>
    %expected0 = stablehlo.constant dense<[[-9, -2, 5], [-9, -2, 5]]> : tensor<2x3xi32>
    %expected1 = stablehlo.constant dense<[[-9, -9, -9], [-2, -2, -2]]> : tensor<2x3xi32>
    %results:2 = call @tested(%in0, %in1) : (tensor<3xi32>, tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2x3xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<2x3xi32>, tensor<2x3xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#1, %expected1) {has_side_effect = true} : (tensor<2x3xi32>, tensor<2x3xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<3xi32>, %arg1: tensor<2xi32>) -> (tensor<2x3xi32> {jax.result_info = "result[0]"}, tensor<2x3xi32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<2xi32>) -> tensor<2x3xi32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xi32>) -> tensor<2x3xi32>
    return %1, %0 : tensor<2x3xi32>, tensor<2x3xi32>
  }
}
