//go:build !unix

package testkit

import (
	"testing"
	"time"
)

// Processor is the clock, where nothing tells what a process has computed.
func Processor(testing.TB) time.Duration { return time.Duration(time.Now().UnixNano()) }

// tellProcessor has nothing to tell here.
func tellProcessor() {}
