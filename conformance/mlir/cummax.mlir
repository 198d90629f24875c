// cummax: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[-9, -2, 5, 12, -4, 3, 10]> : tensor<7xi32>
    %expected0 = stablehlo.constant dense<[-9, -2, 5, 12, 12, 12, 12]> : tensor<7xi32>
    %results:1 = call @tested(%in0) : (tensor<7xi32>) -> (tensor<7xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<7xi32>, tensor<7xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<7xi32>) -> (tensor<7xi32> {jax.result_info = "result"}) {
    %0 = call @cummax(%arg0) : (tensor<7xi32>) -> tensor<7xi32>
    return %0 : tensor<7xi32>
  }
  func.func private @cummax(%arg0: tensor<7xi32>) -> tensor<7xi32> {
    %c = stablehlo.constant dense<-2147483648> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[6, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 7>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.maximum %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<7xi32>, tensor<i32>) -> tensor<7xi32>
    return %1 : tensor<7xi32>
  }
}
