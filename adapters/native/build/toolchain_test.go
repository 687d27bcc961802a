package build

import "testing"

func TestMissingFramework(t *testing.T) {
	for text, want := range map[string]string{
		"CMake Error at x:1 (message):\n  Could NOT find GTest (missing: GTEST_LIBRARY GTEST_INCLUDE_DIR)": getFramework["gtest"],
		"  Could not find a package configuration file provided by \"Catch2\" with any of\n":               getFramework["catch2"],
		"meson.build:2:0: ERROR: Dependency \"catch2-with-main\" not found, tried pkgconfig and cmake":     getFramework["catch2"],
		"meson.build:2:0: ERROR: Dependency \"gtest_main\" not found, tried pkgconfig":                     getFramework["gtest"],
		"a.cpp:1:10: fatal error: doctest/doctest.h: No such file or directory\n":                          getFramework["doctest"],
		"a.cpp:1:10: fatal error: 'gmock/gmock.h' file not found\n":                                        getFramework["gmock"],
		"a.cpp:1:10: fatal error: shop/cart.h: No such file or directory\n":                                "",
		"Could NOT find ZLIB (missing: ZLIB_LIBRARY)":                                                      "",
	} {
		if got := missingFramework(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
