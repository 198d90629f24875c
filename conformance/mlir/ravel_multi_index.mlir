// ravel_multi_index: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[3, 0, -1, 3]> : tensor<4xi32>
    %in1 = stablehlo.constant dense<[1, 2, 3, 9]> : tensor<4xi32>
    %expected0 = stablehlo.constant dense<[13, 2, 3, 15]> : tensor<4xi32>
    %results:1 = call @tested(%in0, %in1) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<4xi32>, tensor<4xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<4xi32>, %arg1: tensor<4xi32>) -> (tensor<4xi32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %0 = call @clip(%arg0, %c, %c_0) : (tensor<4xi32>, tensor<i32>, tensor<i32>) -> tensor<4xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<3> : tensor<i32>
    %1 = call @clip(%arg1, %c_1, %c_2) : (tensor<4xi32>, tensor<i32>, tensor<i32>) -> tensor<4xi32>
    %c_3 = stablehlo.constant dense<4> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.multiply %0, %2 : tensor<4xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %5 = stablehlo.add %4, %3 : tensor<4xi32>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %7 = stablehlo.multiply %1, %6 : tensor<4xi32>
    %8 = stablehlo.add %5, %7 : tensor<4xi32>
    return %8 : tensor<4xi32>
  }
  func.func private @clip(%arg0: tensor<4xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<4xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<4xi32>
    %3 = stablehlo.convert %arg2 : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %5 = stablehlo.minimum %4, %2 : tensor<4xi32>
    return %5 : tensor<4xi32>
  }
}
