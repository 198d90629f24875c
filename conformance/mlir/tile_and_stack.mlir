// tile_and_stack: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9.0, -2.0, 5.0], [12.0, -4.0, 3.0]]> : tensor<2x3xf32>
    %expected0 = stablehlo.constant dense<[[[-9.0, -2.0, 5.0], [12.0, -4.0, 3.0], [-9.0, -2.0, 5.0], [12.0, -4.0, 3.0]], [[-18.0, -4.0, 10.0], [24.0, -8.0, 6.0], [-18.0, -4.0, 10.0], [24.0, -8.0, 6.0]]]> : tensor<2x4x3xf32>
    %results:1 = call @tested(%in0) : (tensor<2x3xf32>) -> (tensor<2x4x3xf32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<2x4x3xf32>, tensor<2x4x3xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<2x3xf32>) -> (tensor<2x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<1x2x1x3xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3] : (tensor<1x2x1x3xf32>) -> tensor<2x2x1x3xf32>
    %2 = stablehlo.reshape %1 : (tensor<2x2x1x3xf32>) -> tensor<4x3xf32>
    %3 = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<1x2x1x3xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x2x1x3xf32>) -> tensor<2x2x1x3xf32>
    %5 = stablehlo.reshape %4 : (tensor<2x2x1x3xf32>) -> tensor<4x3xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<4x3xf32>
    %8 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %10 = stablehlo.concatenate %8, %9, dim = 0 : (tensor<1x4x3xf32>, tensor<1x4x3xf32>) -> tensor<2x4x3xf32>
    return %10 : tensor<2x4x3xf32>
  }
}
