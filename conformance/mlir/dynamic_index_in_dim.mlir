// dynamic_index_in_dim: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9.0, -2.0, 5.0, 12.0], [-4.0, 3.0, 10.0, -6.0], [1.0, 8.0, -8.0, -1.0], [6.0, 13.0, -3.0, 4.0], [11.0, -5.0, 2.0, 9.0]]> : tensor<5x4xf32>
    %in1 = stablehlo.constant dense<2> : tensor<i32>
    %expected0 = stablehlo.constant dense<[5.0, 10.0, -8.0, -3.0, 2.0]> : tensor<5xf32>
    %results:1 = call @tested(%in0, %in1) : (tensor<5x4xf32>, tensor<i32>) -> (tensor<5xf32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<5xf32>, tensor<5xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5x4xf32>, %arg1: tensor<i32>) -> (tensor<5xf32> {jax.result_info = "result"}) {
    %0 = call @dynamic_index_in_dim(%arg0, %arg1) : (tensor<5x4xf32>, tensor<i32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x4xf32>, %arg1: tensor<i32>) -> tensor<5xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg1 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_slice %arg0, %c_1, %2, sizes = [5, 1] : (tensor<5x4xf32>, tensor<i32>, tensor<i32>) -> tensor<5x1xf32>
    %4 = stablehlo.reshape %3 : (tensor<5x1xf32>) -> tensor<5xf32>
    return %4 : tensor<5xf32>
  }
}
