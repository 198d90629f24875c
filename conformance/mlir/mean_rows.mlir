// mean_rows: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9.0, -2.0, 5.0, 12.0], [-4.0, 3.0, 10.0, -6.0], [1.0, 8.0, -8.0, -1.0]]> : tensor<3x4xf32>
    %expected0 = stablehlo.constant dense<[1.5, 0.75, 0.0]> : tensor<3xf32>
    %results:1 = call @tested(%in0) : (tensor<3x4xf32>) -> (tensor<3xf32>)
    stablehlo.custom_call @check.expect_close(%results#0, %expected0) {has_side_effect = true} : (tensor<3xf32>, tensor<3xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<3x4xf32>) -> (tensor<3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_0 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %2 = stablehlo.divide %0, %1 : tensor<3xf32>
    return %2 : tensor<3xf32>
  }
}
