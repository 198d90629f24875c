// convert_many: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[81.0, 4.0, 25.0, 144.0, 16.0, 9.0]> : tensor<6xf32>
    %expected0 = stablehlo.constant dense<[81.0, 4.0, 25.0, 144.0, 16.0, 9.0]> : tensor<6xf16>
    %expected1 = stablehlo.constant dense<[81.0, 4.0, 25.0, 144.0, 16.0, 9.0]> : tensor<6xbf16>
    %expected2 = stablehlo.constant dense<[81, 4, 25, 144, 16, 9]> : tensor<6xui8>
    %expected3 = stablehlo.constant dense<[true, true, true, true, true, true]> : tensor<6xi1>
    %expected4 = stablehlo.constant dense<[(81.0, 0.0), (4.0, 0.0), (25.0, 0.0), (144.0, 0.0), (16.0, 0.0), (9.0, 0.0)]> : tensor<6xcomplex<f32>>
    %results:5 = call @tested(%in0) : (tensor<6xf32>) -> (tensor<6xf16>, tensor<6xbf16>, tensor<6xui8>, tensor<6xi1>, tensor<6xcomplex<f32>>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<6xf16>, tensor<6xf16>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#1, %expected1) {has_side_effect = true} : (tensor<6xbf16>, tensor<6xbf16>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#2, %expected2) {has_side_effect = true} : (tensor<6xui8>, tensor<6xui8>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#3, %expected3) {has_side_effect = true} : (tensor<6xi1>, tensor<6xi1>) -> ()
    stablehlo.custom_call @check.expect_eq(%results#4, %expected4) {has_side_effect = true} : (tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<6xf32>) -> (tensor<6xf16> {jax.result_info = "result[0]"}, tensor<6xbf16> {jax.result_info = "result[1]"}, tensor<6xui8> {jax.result_info = "result[2]"}, tensor<6xi1> {jax.result_info = "result[3]"}, tensor<6xcomplex<f32>> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<6xf32>) -> tensor<6xf16>
    %1 = stablehlo.convert %arg0 : (tensor<6xf32>) -> tensor<6xbf16>
    %2 = stablehlo.convert %arg0 : (tensor<6xf32>) -> tensor<6xui8>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %4 = stablehlo.compare NE, %arg0, %3, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %5 = stablehlo.convert %4 : tensor<6xi1>
    %6 = stablehlo.convert %arg0 : (tensor<6xf32>) -> tensor<6xcomplex<f32>>
    return %0, %1, %2, %5, %6 : tensor<6xf16>, tensor<6xbf16>, tensor<6xui8>, tensor<6xi1>, tensor<6xcomplex<f32>>
  }
}
