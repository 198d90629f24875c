// bernoulli_like_mask: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[1.0, 0x7F800000, -0.0, 0x7FC00000, 0xFF800000, 0.0, 0x7FC00000, -3.0]> : tensor<8xf32>
    %expected0 = stablehlo.constant dense<-2.0> : tensor<f32>
    %results:1 = call @tested(%in0) : (tensor<8xf32>) -> (tensor<f32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<f32>, tensor<f32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<8xf32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %0 = stablehlo.is_finite %arg0 : (tensor<8xf32>) -> tensor<8xi1>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = call @_where(%0, %arg0, %c) : (tensor<8xi1>, tensor<8xf32>, tensor<i32>) -> tensor<8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %2 : tensor<f32>
  }
  func.func private @_where(%arg0: tensor<8xi1>, %arg1: tensor<8xf32>, %arg2: tensor<i32>) -> tensor<8xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<8xi1>, tensor<8xf32>
    return %2 : tensor<8xf32>
  }
}
