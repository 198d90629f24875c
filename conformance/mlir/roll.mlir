// roll: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9.0, -2.0, 5.0, 12.0], [-4.0, 3.0, 10.0, -6.0], [1.0, 8.0, -8.0, -1.0], [6.0, 13.0, -3.0, 4.0], [11.0, -5.0, 2.0, 9.0]]> : tensor<5x4xf32>
    %expected0 = stablehlo.constant dense<[[6.0, 13.0, -3.0, 4.0], [11.0, -5.0, 2.0, 9.0], [-9.0, -2.0, 5.0, 12.0], [-4.0, 3.0, 10.0, -6.0], [1.0, 8.0, -8.0, -1.0]]> : tensor<5x4xf32>
    %results:1 = call @tested(%in0) : (tensor<5x4xf32>) -> (tensor<5x4xf32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<5x4xf32>, tensor<5x4xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5x4xf32>) -> (tensor<5x4xf32> {jax.result_info = "result"}) {
    %0 = call @_roll_static(%arg0) : (tensor<5x4xf32>) -> tensor<5x4xf32>
    return %0 : tensor<5x4xf32>
  }
  func.func private @_roll_static(%arg0: tensor<5x4xf32>) -> tensor<5x4xf32> {
    %0 = stablehlo.slice %arg0 [3:5, 0:4] : (tensor<5x4xf32>) -> tensor<2x4xf32>
    %1 = stablehlo.slice %arg0 [0:3, 0:4] : (tensor<5x4xf32>) -> tensor<3x4xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
    return %2 : tensor<5x4xf32>
  }
}
