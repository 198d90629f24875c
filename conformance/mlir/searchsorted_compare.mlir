// searchsorted_compare: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[-3.0, 0.0, 0.0, 4.0, 9.0]> : tensor<5xf32>
    %in1 = stablehlo.constant dense<[-9.0, -2.0, 5.0, 12.0, -4.0, 3.0]> : tensor<6xf32>
    %expected0 = stablehlo.constant dense<[0, 1, 4, 5, 0, 3]> : tensor<6xi32>
    %results:1 = call @tested(%in0, %in1) : (tensor<5xf32>, tensor<6xf32>) -> (tensor<6xi32>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<6xi32>, tensor<6xi32>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5xf32>, %arg1: tensor<6xf32>) -> (tensor<6xi32> {jax.result_info = "result"}) {
    %0 = call @searchsorted(%arg0, %arg1) : (tensor<5xf32>, tensor<6xf32>) -> tensor<6xi32>
    return %0 : tensor<6xi32>
  }
  func.func private @searchsorted(%arg0: tensor<5xf32>, %arg1: tensor<6xf32>) -> tensor<6xi32> {
    %0 = call @_searchsorted_compare_all_impl(%arg0, %arg1) : (tensor<5xf32>, tensor<6xf32>) -> tensor<6xi32>
    return %0 : tensor<6xi32>
  }
  func.func private @_searchsorted_compare_all_impl(%arg0: tensor<5xf32>, %arg1: tensor<6xf32>) -> tensor<6xi32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %1 = stablehlo.compare EQ, %arg0, %0, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %3 = stablehlo.select %1, %2, %arg0 : tensor<5xi1>, tensor<5xf32>
    %4 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %6 = stablehlo.select %4, %5, %3 : tensor<5xi1>, tensor<5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %8 = stablehlo.compare EQ, %arg1, %7, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %10 = stablehlo.select %8, %9, %arg1 : tensor<6xi1>, tensor<6xf32>
    %11 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %13 = stablehlo.select %11, %12, %10 : tensor<6xi1>, tensor<6xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %15 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x6xf32>
    %17 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<5x6xf32>
    %18 = stablehlo.compare LE, %16, %17, TOTALORDER : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xi1>
    %19 = stablehlo.convert %18 : (tensor<5x6xi1>) -> tensor<5x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.reduce(%19 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<5x6xi32>, tensor<i32>) -> tensor<6xi32>
    return %20 : tensor<6xi32>
  }
}
