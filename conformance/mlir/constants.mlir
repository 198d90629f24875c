// constants: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[-9.0, -2.0, 5.0, 12.0, -4.0, 3.0, 10.0, -6.0]> : tensor<8xf32>
    %expected0 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 12.0, -3.9000000953674316, 3.0, 13.5, 1.0000000150474662e+30]> : tensor<8xf32>
    %results:1 = call @tested(%in0) : (tensor<8xf32>) -> (tensor<8xf32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<8xf32>, tensor<8xf32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<8xf32>) -> (tensor<8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 9.999940e-41, 1.000000e-01, -0.000000e+00, 3.500000e+00, 1.000000e+30]> : tensor<8xf32>
    %0 = stablehlo.add %arg0, %cst : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
