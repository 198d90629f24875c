// complex_parts: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[(0.0, 0.0), (7.0, 2.0), (14.0, 4.0), (21.0, 1.0), (5.0, 0.0)]> : tensor<5xcomplex<f32>>
    %expected0 = stablehlo.constant dense<[0.0, 7.0, 14.0, 21.0, 5.0]> : tensor<5xf32>
    %expected1 = stablehlo.constant dense<[0.0, 2.0, 4.0, 1.0, 0.0]> : tensor<5xf32>
    %expected2 = stablehlo.constant dense<[(0.0, -0.0), (7.0, -2.0), (14.0, -4.0), (21.0, -1.0), (5.0, -0.0)]> : tensor<5xcomplex<f32>>
    %expected3 = stablehlo.constant dense<[(0.0, 0.0), (45.0, 28.0), (180.0, 112.0), (440.0, 42.0), (25.0, 0.0)]> : tensor<5xcomplex<f32>>
    %results:4 = call @tested(%in0) : (tensor<5xcomplex<f32>>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<5xf32>, tensor<5xf32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#1, %expected1) {has_side_effect = true} : (tensor<5xf32>, tensor<5xf32>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#2, %expected2) {has_side_effect = true} : (tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#3, %expected3) {has_side_effect = true} : (tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5xcomplex<f32>>) -> (tensor<5xf32> {jax.result_info = "result[0]"}, tensor<5xf32> {jax.result_info = "result[1]"}, tensor<5xcomplex<f32>> {jax.result_info = "result[2]"}, tensor<5xcomplex<f32>> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.real %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %1 = stablehlo.imag %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %2 = stablehlo.real %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %3 = stablehlo.imag %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %4 = stablehlo.negate %3 : tensor<5xf32>
    %5 = stablehlo.complex %2, %4 : tensor<5xcomplex<f32>>
    %6 = stablehlo.multiply %arg0, %arg0 : tensor<5xcomplex<f32>>
    return %0, %1, %5, %6 : tensor<5xf32>, tensor<5xf32>, tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>
  }
}
