// flip_and_transpose: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9, -2, 5, 12], [-4, 3, 10, -6], [1, 8, -8, -1], [6, 13, -3, 4], [11, -5, 2, 9]]> : tensor<5x4xi8>
    %expected0 = stablehlo.constant dense<[[11, 6, 1, -4, -9], [-5, 13, 8, 3, -2], [2, -3, -8, 10, 5], [9, 4, -1, -6, 12]]> : tensor<4x5xi8>
    %results:1 = call @tested(%in0) : (tensor<5x4xi8>) -> (tensor<4x5xi8>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<4x5xi8>, tensor<4x5xi8>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5x4xi8>) -> (tensor<4x5xi8> {jax.result_info = "result"}) {
    %0 = call @_flip(%arg0) : (tensor<5x4xi8>) -> tensor<5x4xi8>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<5x4xi8>) -> tensor<4x5xi8>
    return %1 : tensor<4x5xi8>
  }
  func.func private @_flip(%arg0: tensor<5x4xi8>) -> tensor<5x4xi8> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<5x4xi8>
    return %0 : tensor<5x4xi8>
  }
}
