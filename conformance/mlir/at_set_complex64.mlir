// at_set_complex64: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[(0.0, 0.0), (7.0, 2.0), (14.0, 4.0), (21.0, 1.0)], [(5.0, 0.0), (12.0, 2.0), (19.0, 4.0), (3.0, 3.0)], [(10.0, 0.0), (17.0, 2.0), (1.0, 1.0), (8.0, 3.0)], [(15.0, 0.0), (22.0, 2.0), (6.0, 1.0), (13.0, 3.0)], [(20.0, 0.0), (4.0, 4.0), (11.0, 1.0), (18.0, 3.0)]]> : tensor<5x4xcomplex<f32>>
    %in1 = stablehlo.constant dense<[3, 0, -1]> : tensor<3xi32>
    %in2 = stablehlo.constant dense<[[(0.0, 0.0), (7.0, 2.0), (14.0, 4.0), (21.0, 1.0)], [(5.0, 0.0), (12.0, 2.0), (19.0, 4.0), (3.0, 3.0)], [(10.0, 0.0), (17.0, 2.0), (1.0, 1.0), (8.0, 3.0)]]> : tensor<3x4xcomplex<f32>>
    %expected0 = stablehlo.constant dense<[[(5.0, 0.0), (12.0, 2.0), (19.0, 4.0), (3.0, 3.0)], [(5.0, 0.0), (12.0, 2.0), (19.0, 4.0), (3.0, 3.0)], [(10.0, 0.0), (17.0, 2.0), (1.0, 1.0), (8.0, 3.0)], [(0.0, 0.0), (7.0, 2.0), (14.0, 4.0), (21.0, 1.0)], [(10.0, 0.0), (17.0, 2.0), (1.0, 1.0), (8.0, 3.0)]]> : tensor<5x4xcomplex<f32>>
    %results:1 = call @tested(%in0, %in1, %in2) : (tensor<5x4xcomplex<f32>>, tensor<3xi32>, tensor<3x4xcomplex<f32>>) -> (tensor<5x4xcomplex<f32>>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<5x4xcomplex<f32>>, tensor<5x4xcomplex<f32>>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5x4xcomplex<f32>>, %arg1: tensor<3xi32>, %arg2: tensor<3x4xcomplex<f32>>) -> (tensor<5x4xcomplex<f32>> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<3xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<3xi1>, tensor<3xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %6 = "stablehlo.scatter"(%arg0, %5, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<complex<f32>>, %arg4: tensor<complex<f32>>):
      stablehlo.return %arg4 : tensor<complex<f32>>
    }) : (tensor<5x4xcomplex<f32>>, tensor<3x1xi32>, tensor<3x4xcomplex<f32>>) -> tensor<5x4xcomplex<f32>>
    return %6 : tensor<5x4xcomplex<f32>>
  }
}
