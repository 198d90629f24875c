// switch_index: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<5> : tensor<i32>
    %in1 = stablehlo.constant dense<[[-9.0, -2.0, 5.0, 12.0], [-4.0, 3.0, 10.0, -6.0], [1.0, 8.0, -8.0, -1.0], [6.0, 13.0, -3.0, 4.0], [11.0, -5.0, 2.0, 9.0]]> : tensor<5x4xf32>
    %expected0 = stablehlo.constant dense<[11.0, 13.0, 10.0, 12.0]> : tensor<4xf32>
    %results:1 = call @tested(%in0, %in1) : (tensor<i32>, tensor<5x4xf32>) -> (tensor<4xf32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<i32>, %arg1: tensor<5x4xf32>) -> (tensor<4xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.clamp %c, %arg0, %c_0 : tensor<i32>
    %1 = "stablehlo.case"(%0) ({
      %2 = stablehlo.slice %arg1 [0:1, 0:4] : (tensor<5x4xf32>) -> tensor<1x4xf32>
      %3 = stablehlo.reshape %2 : (tensor<1x4xf32>) -> tensor<4xf32>
      stablehlo.return %3 : tensor<4xf32>
    }, {
      %2 = stablehlo.slice %arg1 [4:5, 0:4] : (tensor<5x4xf32>) -> tensor<1x4xf32>
      %3 = stablehlo.reshape %2 : (tensor<1x4xf32>) -> tensor<4xf32>
      stablehlo.return %3 : tensor<4xf32>
    }, {
      %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %2 = stablehlo.reduce(%arg1 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<5x4xf32>, tensor<f32>) -> tensor<4xf32>
      stablehlo.return %2 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
