// clip_and_abs: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9, -2, 5, 12], [-4, 3, 10, -6], [1, 8, -8, -1]]> : tensor<3x4xi32>
    %expected0 = stablehlo.constant dense<[[4, 2, 5, 5], [4, 3, 5, 4], [1, 5, 4, 1]]> : tensor<3x4xi32>
    %results:1 = call @tested(%in0) : (tensor<3x4xi32>) -> (tensor<3x4xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<3x4xi32>, tensor<3x4xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<3x4xi32>) -> (tensor<3x4xi32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<-4> : tensor<i32>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %0 = call @clip(%arg0, %c, %c_0) : (tensor<3x4xi32>, tensor<i32>, tensor<i32>) -> tensor<3x4xi32>
    %1 = stablehlo.abs %0 : tensor<3x4xi32>
    return %1 : tensor<3x4xi32>
  }
  func.func private @clip(%arg0: tensor<3x4xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<3x4xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<3x4xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<3x4xi32>
    %3 = stablehlo.convert %arg2 : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i32>) -> tensor<3x4xi32>
    %5 = stablehlo.minimum %4, %2 : tensor<3x4xi32>
    return %5 : tensor<3x4xi32>
  }
}
