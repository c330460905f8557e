// SPDX-License-Identifier: Apache-2.0
// The Dims that the kernel library shares, one name per meaning, and small pieces of its signatures.
#pragma once

#include "tilewright/base/dim.hpp"

namespace tilewright::kernels {

inline constexpr Dim BM{"BM"};          // rows of a block
inline constexpr Dim BN{"BN"};          // columns of a block; keys of a step in attention
inline constexpr Dim BK{"BK"};          // depth of one step
inline constexpr Dim N{"N"};            // columns of a row kernel: a block holds whole rows
inline constexpr Dim D{"D"};            // size of an attention head
inline constexpr Dim PAIRS{"PAIRS"};    // half of it: rotary pairs
inline constexpr Dim HEADS{"HEADS"};    // query heads that share one key head
inline constexpr Dim GROUP{"GROUP"};    // rows of a tile that holds such a group: HEADS, or more to fill a matrix unit
inline constexpr Dim STEPS{"STEPS"};    // key tiles of one part when attention is split
inline constexpr Dim PARTS{"PARTS"};    // such parts
inline constexpr Dim PIECES{"PIECES"};  // at least as many as a row has pieces
inline constexpr Dim G{"G"};            // groups of a quantised row
inline constexpr Dim BG{"BG"};          // groups of one step

// `dyn` once for each extent of a piece: the In parameters of a kernel that is generic over rank.
template <Dim>
inline constexpr Dim any_extent = dyn;

}  // namespace tilewright::kernels
