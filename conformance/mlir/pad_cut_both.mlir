// pad_cut_both: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9, -2, 5], [12, -4, 3], [10, -6, 1], [8, -8, -1]]> : tensor<4x3xi32>
    %expected0 = stablehlo.constant dense<[[9, 9, 12, 9, -4], [9, 9, 10, 9, -6]]> : tensor<2x5xi32>
    %results:1 = call @tested(%in0) : (tensor<4x3xi32>) -> (tensor<2x5xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<2x5xi32>, tensor<2x5xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<4x3xi32>) -> (tensor<2x5xi32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<9> : tensor<i32>
    %0 = stablehlo.pad %arg0, %c, low = [-1, 2], high = [-1, -2], interior = [0, 1] : (tensor<4x3xi32>, tensor<i32>) -> tensor<2x5xi32>
    return %0 : tensor<2x5xi32>
  }
}
