// sum_min_max_prod: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9, -2, 5, 12], [-4, 3, 10, -6], [1, 8, -8, -1]]> : tensor<3x4xi32>
    %expected0 = stablehlo.constant dense<[-12, 9, 7, 5]> : tensor<4xi32>
    %expected1 = stablehlo.constant dense<[-9, -6, -8]> : tensor<3xi32>
    %expected2 = stablehlo.constant dense<12> : tensor<i32>
    %expected3 = stablehlo.constant dense<[1080, 720, 64]> : tensor<3xi32>
    %results:4 = call @tested(%in0) : (tensor<3x4xi32>) -> (tensor<4xi32>, tensor<3xi32>, tensor<i32>, tensor<3xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<4xi32>, tensor<4xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#1, %expected1) {has_side_effect = true} : (tensor<3xi32>, tensor<3xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#2, %expected2) {has_side_effect = true} : (tensor<i32>, tensor<i32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#3, %expected3) {has_side_effect = true} : (tensor<3xi32>, tensor<3xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<3x4xi32>) -> (tensor<4xi32> {jax.result_info = "result[0]"}, tensor<3xi32> {jax.result_info = "result[1]"}, tensor<i32> {jax.result_info = "result[2]"}, tensor<3xi32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<3x4xi32>, tensor<i32>) -> tensor<4xi32>
    %c_0 = stablehlo.constant dense<2147483647> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %c_0) applies stablehlo.minimum across dimensions = [1] : (tensor<3x4xi32>, tensor<i32>) -> tensor<3xi32>
    %c_1 = stablehlo.constant dense<-2147483648> : tensor<i32>
    %2 = stablehlo.reduce(%arg0 init: %c_1) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x4xi32>, tensor<i32>) -> tensor<i32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %3 = stablehlo.reduce(%arg0 init: %c_2) applies stablehlo.multiply across dimensions = [1] : (tensor<3x4xi32>, tensor<i32>) -> tensor<3xi32>
    return %0, %1, %2, %3 : tensor<4xi32>, tensor<3xi32>, tensor<i32>, tensor<3xi32>
  }
}
