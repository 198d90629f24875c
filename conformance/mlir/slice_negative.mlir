// slice_negative: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9, -2, 5, 12], [-4, 3, 10, -6], [1, 8, -8, -1], [6, 13, -3, 4], [11, -5, 2, 9], [-7, 0, 7, -9]]> : tensor<6x4xi32>
    %expected0 = stablehlo.constant dense<[[13, -3, 4], [-5, 2, 9]]> : tensor<2x3xi32>
    %results:1 = call @tested(%in0) : (tensor<6x4xi32>) -> (tensor<2x3xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<2x3xi32>, tensor<2x3xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<6x4xi32>) -> (tensor<2x3xi32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [3:5, 1:4] : (tensor<6x4xi32>) -> tensor<2x3xi32>
    return %0 : tensor<2x3xi32>
  }
}
