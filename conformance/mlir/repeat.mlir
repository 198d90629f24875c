// repeat: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9.0, -2.0, 5.0], [12.0, -4.0, 3.0]]> : tensor<2x3xf32>
    %expected0 = stablehlo.constant dense<[[-9.0, -9.0, -9.0, -2.0, -2.0, -2.0, 5.0, 5.0, 5.0], [12.0, 12.0, 12.0, -4.0, -4.0, -4.0, 3.0, 3.0, 3.0]]> : tensor<2x9xf32>
    %results:1 = call @tested(%in0) : (tensor<2x3xf32>) -> (tensor<2x9xf32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<2x9xf32>, tensor<2x9xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<2x3xf32>) -> (tensor<2x9xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<2x3x3xf32>) -> tensor<2x9xf32>
    return %1 : tensor<2x9xf32>
  }
}
