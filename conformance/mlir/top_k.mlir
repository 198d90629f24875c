// top_k: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9.0, -2.0, 5.0, 12.0, -4.0, 3.0], [10.0, -6.0, 1.0, 8.0, -8.0, -1.0]]> : tensor<2x6xf32>
    %expected0 = stablehlo.constant dense<[[12.0, 5.0, 3.0], [10.0, 8.0, 1.0]]> : tensor<2x3xf32>
    %expected1 = stablehlo.constant dense<[[3, 2, 5], [0, 3, 2]]> : tensor<2x3xi32>
    %results:2 = call @tested(%in0) : (tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#1, %expected1) {has_side_effect = true} : (tensor<2x3xi32>, tensor<2x3xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<2x6xf32>) -> (tensor<2x3xf32> {jax.result_info = "result[0]"}, tensor<2x3xi32> {jax.result_info = "result[1]"}) {
    %values, %indices = chlo.top_k(%arg0, k = 3) : tensor<2x6xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
    return %values, %indices : tensor<2x3xf32>, tensor<2x3xi32>
  }
}
