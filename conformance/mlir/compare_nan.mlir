// compare_nan: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[1.0, 0x7F800000, -0.0, 0x7FC00000, 0xFF800000, 0.0, 0x7FC00000, -3.0]> : tensor<8xf32>
    %in1 = stablehlo.constant dense<[-3.0, 0x7FC00000, 0.0, 0xFF800000, 0x7FC00000, -0.0, 0x7F800000, 1.0]> : tensor<8xf32>
    %expected0 = stablehlo.constant dense<[false, false, false, false, false, false, false, true]> : tensor<8xi1>
    %expected1 = stablehlo.constant dense<[false, false, true, false, false, true, false, false]> : tensor<8xi1>
    %expected2 = stablehlo.constant dense<[true, true, false, true, true, false, true, true]> : tensor<8xi1>
    %expected3 = stablehlo.constant dense<[true, false, true, false, false, true, false, false]> : tensor<8xi1>
    %results:4 = call @tested(%in0, %in1) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xi1>, tensor<8xi1>, tensor<8xi1>, tensor<8xi1>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<8xi1>, tensor<8xi1>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#1, %expected1) {has_side_effect = true} : (tensor<8xi1>, tensor<8xi1>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#2, %expected2) {has_side_effect = true} : (tensor<8xi1>, tensor<8xi1>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#3, %expected3) {has_side_effect = true} : (tensor<8xi1>, tensor<8xi1>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xi1> {jax.result_info = "result[0]"}, tensor<8xi1> {jax.result_info = "result[1]"}, tensor<8xi1> {jax.result_info = "result[2]"}, tensor<8xi1> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.compare LT, %arg0, %arg1, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %1 = stablehlo.compare EQ, %arg0, %arg1, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %2 = stablehlo.compare NE, %arg0, %arg1, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %3 = stablehlo.compare GE, %arg0, %arg1, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    return %0, %1, %2, %3 : tensor<8xi1>, tensor<8xi1>, tensor<8xi1>, tensor<8xi1>
  }
}
