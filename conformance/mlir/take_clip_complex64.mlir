// take_clip_complex64: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[(0.0, 0.0), (7.0, 2.0), (14.0, 4.0), (21.0, 1.0)], [(5.0, 0.0), (12.0, 2.0), (19.0, 4.0), (3.0, 3.0)], [(10.0, 0.0), (17.0, 2.0), (1.0, 1.0), (8.0, 3.0)], [(15.0, 0.0), (22.0, 2.0), (6.0, 1.0), (13.0, 3.0)], [(20.0, 0.0), (4.0, 4.0), (11.0, 1.0), (18.0, 3.0)]]> : tensor<5x4xcomplex<f32>>
    %in1 = stablehlo.constant dense<[3, 0, -1, 7, -9, 5]> : tensor<6xi32>
    %expected0 = stablehlo.constant dense<[[(15.0, 0.0), (22.0, 2.0), (6.0, 1.0), (13.0, 3.0)], [(0.0, 0.0), (7.0, 2.0), (14.0, 4.0), (21.0, 1.0)], [(0.0, 0.0), (7.0, 2.0), (14.0, 4.0), (21.0, 1.0)], [(20.0, 0.0), (4.0, 4.0), (11.0, 1.0), (18.0, 3.0)], [(0.0, 0.0), (7.0, 2.0), (14.0, 4.0), (21.0, 1.0)], [(20.0, 0.0), (4.0, 4.0), (11.0, 1.0), (18.0, 3.0)]]> : tensor<6x4xcomplex<f32>>
    %results:1 = call @tested(%in0, %in1) : (tensor<5x4xcomplex<f32>>, tensor<6xi32>) -> (tensor<6x4xcomplex<f32>>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<6x4xcomplex<f32>>, tensor<6x4xcomplex<f32>>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5x4xcomplex<f32>>, %arg1: tensor<6xi32>) -> (tensor<6x4xcomplex<f32>> {jax.result_info = "result"}) {
    %0 = call @_take(%arg0, %arg1) : (tensor<5x4xcomplex<f32>>, tensor<6xi32>) -> tensor<6x4xcomplex<f32>>
    return %0 : tensor<6x4xcomplex<f32>>
  }
  func.func private @_take(%arg0: tensor<5x4xcomplex<f32>>, %arg1: tensor<6xi32>) -> tensor<6x4xcomplex<f32>> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xcomplex<f32>>, tensor<6x1xi32>) -> tensor<6x4xcomplex<f32>>
    return %1 : tensor<6x4xcomplex<f32>>
  }
}
