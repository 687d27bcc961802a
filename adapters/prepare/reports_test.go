package prepare

import "testing"

func TestGaveUp(t *testing.T) {
	for report, want := range map[string]string{
		"": "",
		"==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n":                    "",
		"WARNING: ThreadSanitizer: data race (pid=7)\n    #0 main.dying /w/a.go:1\n":            "",
		"race: limit on 8128 simultaneously alive goroutines is exceeded, dying\n":              "race: limit on 8128 simultaneously alive goroutines is exceeded, dying",
		"==7==ThreadSanitizer: Thread limit (8128 threads) exceeded. Dying.\n":                  "ThreadSanitizer: Thread limit (8128 threads) exceeded. Dying.",
		"==7==ERROR: AddressSanitizer failed to allocate 0x1000 (4096) bytes (errno: 12)\n":     "ERROR: AddressSanitizer failed to allocate 0x1000 (4096) bytes (errno: 12)",
		"AddressSanitizer: CHECK failed: asan_mapping.h:1 \"((0)) != (0)\" (0x0, 0x0)\n":        "AddressSanitizer: CHECK failed: asan_mapping.h:1 \"((0)) != (0)\" (0x0, 0x0)",
		"==7==ASan runtime does not come first in initial library list; you should either\n":    "ASan runtime does not come first in initial library list; you should either",
		"==7==FATAL: ThreadSanitizer: unexpected memory mapping 0x55\n":                         "FATAL: ThreadSanitizer: unexpected memory mapping 0x55",
		"==7==WARNING: ASan doesn't fully support makecontext/swapcontext functions at once.\n": "",
	} {
		if got := GaveUp(report); got != want {
			t.Errorf("%q gave up by %q, want %q", report, got, want)
		}
	}
}
