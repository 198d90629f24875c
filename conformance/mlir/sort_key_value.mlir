// sort_key_value: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[2, 1, 2, 0, 1]> : tensor<5xi32>
    %in1 = stablehlo.constant dense<[-9.0, -2.0, 5.0, 12.0, -4.0]> : tensor<5xf32>
    %expected0 = stablehlo.constant dense<[0, 1, 1, 2, 2]> : tensor<5xi32>
    %expected1 = stablehlo.constant dense<[12.0, -2.0, -4.0, -9.0, 5.0]> : tensor<5xf32>
    %results:2 = call @tested(%in0, %in1) : (tensor<5xi32>, tensor<5xf32>) -> (tensor<5xi32>, tensor<5xf32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<5xi32>, tensor<5xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#1, %expected1) {has_side_effect = true} : (tensor<5xf32>, tensor<5xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5xi32>, %arg1: tensor<5xf32>) -> (tensor<5xi32> {jax.result_info = "result[0]"}, tensor<5xf32> {jax.result_info = "result[1]"}) {
    %0:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<f32>, %arg5: tensor<f32>):
      %1 = stablehlo.compare LT, %arg2, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<5xi32>, tensor<5xf32>) -> (tensor<5xi32>, tensor<5xf32>)
    return %0#0, %0#1 : tensor<5xi32>, tensor<5xf32>
  }
}
