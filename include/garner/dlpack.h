// Views on foreign tensors through DLPack, without a copy.
#pragma once
#include <dlpack/dlpack.h>

#include "garner/view.h"

namespace garner {

/// A view on a DLTensor of the CPU or of a CUDA device. Rules D1 (other memory), D2 (a dtype or lane count Garner has
/// not), V1–V4.
Result<View> from_dlpack(const DLTensor& tensor);
Result<MutableView> mutable_from_dlpack(const DLTensor& tensor);

/// A DLTensor over the view's memory; shape and strides point into the view, which must outlive it.
DLTensor to_dlpack(const View& view);

}  // namespace garner
