// convert_to_index: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[1.899999976158142, -1.899999976158142, 0x7FC00000, 0x7F800000, 0xFF800000, 3000000000.0]> : tensor<6xf32>
    %expected0 = stablehlo.constant dense<[1, -1, 0, 2147483647, -2147483648, 2147483647]> : tensor<6xi32>
    %results:1 = call @tested(%in0) : (tensor<6xf32>) -> (tensor<6xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<6xi32>, tensor<6xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<6xf32>) -> (tensor<6xi32> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg0 : (tensor<6xf32>) -> tensor<6xi32>
    return %0 : tensor<6xi32>
  }
}
