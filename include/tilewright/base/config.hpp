// SPDX-License-Identifier: Apache-2.0
// The few macros of the project: symbol visibility. Everything else is ordinary C++.
#pragma once

#define TILEWRIGHT_VERSION_MAJOR 0
#define TILEWRIGHT_VERSION_MINOR 1
#define TILEWRIGHT_VERSION_PATCH 0

// Marks what the shared library exports; the default visibility of our builds is hidden.
#define TILEWRIGHT_API __attribute__((visibility("default")))
