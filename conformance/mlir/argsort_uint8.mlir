// argsort_uint8: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[0, 2, 4, 1, 0, 2, 4], [3, 0, 2, 1, 3, 0, 2], [1, 3, 0, 4, 1, 3, 2]]> : tensor<3x7xui8>
    %expected0 = stablehlo.constant dense<[[0, 4, 3, 1, 5, 2, 6], [1, 5, 3, 2, 6, 0, 4], [2, 0, 4, 6, 1, 5, 3]]> : tensor<3x7xi32>
    %results:1 = call @tested(%in0) : (tensor<3x7xui8>) -> (tensor<3x7xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<3x7xi32>, tensor<3x7xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<3x7xui8>) -> (tensor<3x7xi32> {jax.result_info = "result"}) {
    %0 = call @argsort(%arg0) : (tensor<3x7xui8>) -> tensor<3x7xi32>
    return %0 : tensor<3x7xi32>
  }
  func.func private @argsort(%arg0: tensor<3x7xui8>) -> tensor<3x7xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<3x7xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<ui8>, %arg2: tensor<ui8>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %2 = stablehlo.compare LT, %arg1, %arg2, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<3x7xui8>, tensor<3x7xi32>) -> (tensor<3x7xui8>, tensor<3x7xi32>)
    return %1#1 : tensor<3x7xi32>
  }
}
