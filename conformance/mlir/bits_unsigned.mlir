// bits_unsigned: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[0, 7, 14, 21, 5, 12]> : tensor<6xui32>
    %expected0 = stablehlo.constant dense<[0, 2147483648, 0, 2147483648, 2147483648, 0]> : tensor<6xui32>
    %expected1 = stablehlo.constant dense<[0, 0, 1, 2, 0, 1]> : tensor<6xui32>
    %expected2 = stablehlo.constant dense<[0, 3, 3, 3, 2, 2]> : tensor<6xui32>
    %expected3 = stablehlo.constant dense<[32, 29, 28, 27, 29, 28]> : tensor<6xui32>
    %results:4 = call @tested(%in0) : (tensor<6xui32>) -> (tensor<6xui32>, tensor<6xui32>, tensor<6xui32>, tensor<6xui32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<6xui32>, tensor<6xui32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#1, %expected1) {has_side_effect = true} : (tensor<6xui32>, tensor<6xui32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#2, %expected2) {has_side_effect = true} : (tensor<6xui32>, tensor<6xui32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#3, %expected3) {has_side_effect = true} : (tensor<6xui32>, tensor<6xui32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<6xui32>) -> (tensor<6xui32> {jax.result_info = "result[0]"}, tensor<6xui32> {jax.result_info = "result[1]"}, tensor<6xui32> {jax.result_info = "result[2]"}, tensor<6xui32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<31> : tensor<ui32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<6xui32>
    %1 = stablehlo.shift_left %arg0, %0 : tensor<6xui32>
    %c_0 = stablehlo.constant dense<3> : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<6xui32>
    %3 = stablehlo.shift_right_logical %arg0, %2 : tensor<6xui32>
    %4 = stablehlo.popcnt %arg0 : tensor<6xui32>
    %5 = stablehlo.count_leading_zeros %arg0 : tensor<6xui32>
    return %1, %3, %4, %5 : tensor<6xui32>, tensor<6xui32>, tensor<6xui32>, tensor<6xui32>
  }
}
