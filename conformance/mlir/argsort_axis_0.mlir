// argsort_axis_0: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9, -2, 5], [12, -4, 3], [10, -6, 1], [8, -8, -1]]> : tensor<4x3xi32>
    %expected0 = stablehlo.constant dense<[[0, 3, 3], [3, 2, 2], [2, 1, 1], [1, 0, 0]]> : tensor<4x3xi32>
    %results:1 = call @tested(%in0) : (tensor<4x3xi32>) -> (tensor<4x3xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<4x3xi32>, tensor<4x3xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<4x3xi32>) -> (tensor<4x3xi32> {jax.result_info = "result"}) {
    %0 = call @argsort(%arg0) : (tensor<4x3xi32>) -> tensor<4x3xi32>
    return %0 : tensor<4x3xi32>
  }
  func.func private @argsort(%arg0: tensor<4x3xi32>) -> tensor<4x3xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<4x3xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %2 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<4x3xi32>, tensor<4x3xi32>) -> (tensor<4x3xi32>, tensor<4x3xi32>)
    return %1#1 : tensor<4x3xi32>
  }
}
