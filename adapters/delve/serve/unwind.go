//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/go-delve/delve/pkg/dwarf/op"
	"github.com/go-delve/delve/pkg/proc"
)

// Since 1.27 Delve follows the frame pointers of a stack once it has met a frame
// with one of its own. A function that was interrupted may have none (a leaf of
// optimised code, or a small loop): its caller is then missing without a word
// below runtime.sigpanic, so under every nil dereference in such a function, and
// below runtime.asyncPreempt. The program's frame descriptions hold at every
// instruction, so what was interrupted is unwound by them.
//
// Delve has no switch for it. Its iterator calls Arch.switchStack at each frame,
// and there its flag is taken back; both are private and are found by name.
// TestTheCallerOfAnInterruptedLeaf fails when an update of Delve moves them.

// interrupts are the functions that stand above one that did not call them.
var interrupts = []string{"runtime.sigpanic", "runtime.asyncPreempt", "runtime.debugCallV2"}

// switchStack is the field of proc.Arch, with the iterator as the address that it is.
type switchStack = func(iterator unsafe.Pointer, caller *op.DwarfRegisters) bool

// unwindInterrupted has what was interrupted in this target unwound by descriptions.
// It does nothing where Delve is not built as expected.
func unwindInterrupted(t *proc.Target) {
	hook, ok := reflect.TypeFor[proc.Arch]().FieldByName("switchStack")
	if !ok || hook.Type.Kind() != reflect.Func || hook.Type.NumIn() != 2 || hook.Type.In(0).Kind() != reflect.Pointer {
		return
	}
	iterator := hook.Type.In(0).Elem()
	frame, hasFrame := iterator.FieldByName("frame")
	pointers, hasFlag := iterator.FieldByName("canUseFP")
	if !hasFrame || frame.Type != reflect.TypeFor[proc.Stackframe]() || !hasFlag || pointers.Type.Kind() != reflect.Bool {
		return
	}
	field := (*switchStack)(unsafe.Add(unsafe.Pointer(t.BinInfo().Arch), hook.Offset))
	delves := *field
	*field = func(it unsafe.Pointer, caller *op.DwarfRegisters) bool {
		at := (*proc.Stackframe)(unsafe.Add(it, frame.Offset)).Current.Fn
		if at != nil && slices.Contains(interrupts, at.Name) {
			*(*bool)(unsafe.Add(it, pointers.Offset)) = false
		}
		return delves(it, caller)
	}
}

// mendUnwinding sees to the targets that have come since it was last called. The group
// must be locked, or nobody else have it yet.
func (f *front) mendUnwinding(group *proc.TargetGroup) {
	for _, t := range group.Targets() {
		if arch := t.BinInfo().Arch; !f.mended[arch] {
			f.mended[arch] = true
			unwindInterrupted(t)
			ownConstants(t.BinInfo())
		}
	}
}
