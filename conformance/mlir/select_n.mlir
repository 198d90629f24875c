// select_n: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[-9, -2, 5, 12]> : tensor<4xi32>
    %in1 = stablehlo.constant dense<[-9.0, -2.0, 5.0, 12.0]> : tensor<4xf32>
    %in2 = stablehlo.constant dense<[-18.0, -4.0, 10.0, 24.0]> : tensor<4xf32>
    %expected0 = stablehlo.constant dense<[-9.0, -2.0, 10.0, 24.0]> : tensor<4xf32>
    %results:1 = call @tested(%in0, %in1, %in2) : (tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<4xi32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> (tensor<4xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.compare GT, %arg0, %0, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %2 = stablehlo.select %1, %arg2, %arg1 : tensor<4xi1>, tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
