// index_int8: written by jax_modules.py with JAX 0.10.2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %in0 = stablehlo.constant dense<[[-9, -2, 5, 12], [-4, 3, 10, -6], [1, 8, -8, -1], [6, 13, -3, 4], [11, -5, 2, 9]]> : tensor<5x4xi8>
    %in1 = stablehlo.constant dense<[3, 0, -1, 3]> : tensor<4xi32>
    %expected0 = stablehlo.constant dense<[[6, 13, -3, 4], [-9, -2, 5, 12], [11, -5, 2, 9], [6, 13, -3, 4]]> : tensor<4x4xi8>
    %results:1 = call @tested(%in0, %in1) : (tensor<5x4xi8>, tensor<4xi32>) -> (tensor<4x4xi8>)
    stablehlo.custom_call @check.expect_eq(%results#0, %expected0) {has_side_effect = true} : (tensor<4x4xi8>, tensor<4x4xi8>) -> ()
    return
  }
  func.func private @tested(%arg0: tensor<5x4xi8>, %arg1: tensor<4xi32>) -> (tensor<4x4xi8> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4xi1>, tensor<4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xi8>, tensor<4x1xi32>) -> tensor<4x4xi8>
    return %6 : tensor<4x4xi8>
  }
}
