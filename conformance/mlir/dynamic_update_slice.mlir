// dynamic_update_slice: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9.0, -2.0, 5.0, 12.0], [-4.0, 3.0, 10.0, -6.0], [1.0, 8.0, -8.0, -1.0], [6.0, 13.0, -3.0, 4.0], [11.0, -5.0, 2.0, 9.0]]> : tensor<5x4xf32>
    %in1 = stablehlo.constant dense<[[-9.0, -2.0], [5.0, 12.0]]> : tensor<2x2xf32>
    %in2 = stablehlo.constant dense<4> : tensor<i32>
    %expected0 = stablehlo.constant dense<[[-9.0, -2.0, 5.0, 12.0], [-4.0, 3.0, 10.0, -6.0], [1.0, 8.0, -8.0, -1.0], [6.0, -9.0, -2.0, 4.0], [11.0, 5.0, 12.0, 9.0]]> : tensor<5x4xf32>
    %results:1 = call @tested(%in0, %in1, %in2) : (tensor<5x4xf32>, tensor<2x2xf32>, tensor<i32>) -> (tensor<5x4xf32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<5x4xf32>, tensor<5x4xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5x4xf32>, %arg1: tensor<2x2xf32>, %arg2: tensor<i32>) -> (tensor<5x4xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg2, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %1 = stablehlo.add %arg2, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg2 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %3 = stablehlo.dynamic_update_slice %arg0, %arg1, %2, %c_1 : (tensor<5x4xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<5x4xf32>
    return %3 : tensor<5x4xf32>
  }
}
