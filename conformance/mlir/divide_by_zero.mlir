// divide_by_zero: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[7, -7, -2147483648, 0]> : tensor<4xi32>
    %in1 = stablehlo.constant dense<[0, 0, -1, 0]> : tensor<4xi32>
    %expected0 = stablehlo.constant dense<[-1, -1, -2147483648, -1]> : tensor<4xi32>
    %expected1 = stablehlo.constant dense<[7, -7, 0, 0]> : tensor<4xi32>
    %results:2 = call @tested(%in0, %in1) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<4xi32>, tensor<4xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#1, %expected1) {has_side_effect = true} : (tensor<4xi32>, tensor<4xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<4xi32>, %arg1: tensor<4xi32>) -> (tensor<4xi32> {jax.result_info = "result[0]"}, tensor<4xi32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<4xi32>
    %1 = stablehlo.remainder %arg0, %arg1 : tensor<4xi32>
    return %0, %1 : tensor<4xi32>, tensor<4xi32>
  }
}
