// bits: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[-9, -2, 5, 12, -4, 3]> : tensor<6xi32>
    %in1 = stablehlo.constant dense<[3, -4, 12, 5, -2, -9]> : tensor<6xi32>
    %expected0 = stablehlo.constant dense<[3, -4, 4, 4, -4, 3]> : tensor<6xi32>
    %expected1 = stablehlo.constant dense<[-9, -2, 13, 13, -2, -9]> : tensor<6xi32>
    %expected2 = stablehlo.constant dense<[-12, 2, 9, 9, 2, -12]> : tensor<6xi32>
    %expected3 = stablehlo.constant dense<[8, 1, -6, -13, 3, -4]> : tensor<6xi32>
    %expected4 = stablehlo.constant dense<[-36, -8, 20, 48, -16, 12]> : tensor<6xi32>
    %expected5 = stablehlo.constant dense<[-5, -1, 2, 6, -2, 1]> : tensor<6xi32>
    %results:6 = call @tested(%in0, %in1) : (tensor<6xi32>, tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<6xi32>, tensor<6xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#1, %expected1) {has_side_effect = true} : (tensor<6xi32>, tensor<6xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#2, %expected2) {has_side_effect = true} : (tensor<6xi32>, tensor<6xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#3, %expected3) {has_side_effect = true} : (tensor<6xi32>, tensor<6xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#4, %expected4) {has_side_effect = true} : (tensor<6xi32>, tensor<6xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#5, %expected5) {has_side_effect = true} : (tensor<6xi32>, tensor<6xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<6xi32>, %arg1: tensor<6xi32>) -> (tensor<6xi32> {jax.result_info = "result[0]"}, tensor<6xi32> {jax.result_info = "result[1]"}, tensor<6xi32> {jax.result_info = "result[2]"}, tensor<6xi32> {jax.result_info = "result[3]"}, tensor<6xi32> {jax.result_info = "result[4]"}, tensor<6xi32> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.and %arg0, %arg1 : tensor<6xi32>
    %1 = stablehlo.or %arg0, %arg1 : tensor<6xi32>
    %2 = stablehlo.xor %arg0, %arg1 : tensor<6xi32>
    %3 = stablehlo.not %arg0 : tensor<6xi32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %5 = stablehlo.shift_left %arg0, %4 : tensor<6xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %7 = stablehlo.shift_right_arithmetic %arg0, %6 : tensor<6xi32>
    return %0, %1, %2, %3, %5, %7 : tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>
  }
}
