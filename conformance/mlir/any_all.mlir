// any_all: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9, -2, 5, 12], [-4, 3, 10, -6], [1, 8, -8, -1]]> : tensor<3x4xi32>
    %expected0 = stablehlo.constant dense<[true, true, false]> : tensor<3xi1>
    %expected1 = stablehlo.constant dense<[false, true, true, true]> : tensor<4xi1>
    %results:2 = call @tested(%in0) : (tensor<3x4xi32>) -> (tensor<3xi1>, tensor<4xi1>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<3xi1>, tensor<3xi1>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#1, %expected1) {has_side_effect = true} : (tensor<4xi1>, tensor<4xi1>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<3x4xi32>) -> (tensor<3xi1> {jax.result_info = "result[0]"}, tensor<4xi1> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<8> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x4xi32>
    %1 = stablehlo.compare GT, %arg0, %0, SIGNED : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %2 = stablehlo.reduce(%1 init: %c_0) applies stablehlo.or across dimensions = [1] : (tensor<3x4xi1>, tensor<i1>) -> tensor<3xi1>
    %c_1 = stablehlo.constant dense<-9> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3x4xi32>
    %4 = stablehlo.compare GT, %arg0, %3, SIGNED : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
    %c_2 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.reduce(%4 init: %c_2) applies stablehlo.and across dimensions = [0] : (tensor<3x4xi1>, tensor<i1>) -> tensor<4xi1>
    return %2, %5 : tensor<3xi1>, tensor<4xi1>
  }
}
