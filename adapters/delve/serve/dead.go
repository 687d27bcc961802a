//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"encoding/binary"
	"errors"
	"reflect"
	"runtime"
	"sort"

	"github.com/go-delve/delve/pkg/proc"
)

// outOfUse stands in place of a variable that the code does not read again: the collector
// has taken no account of it, and has run, so that what it refers to may be another's.
const outOfUse = "(no longer in use: its memory may hold something else by now)"

// As the runtime counts them: of the tables of a function, and where its record ends.
const (
	stackMapIndex = 1  // of pcdata
	localsMaps    = 1  // of funcdata
	recordSize    = 44 // before the tables
	missing       = ^uint32(0)
)

const wordSize = 8

var errNoMap = errors.New("the runtime has no map of the frame")

// deadVariables names the variables of a calling frame whose memory the collector may have given
// to others. Those that the statement reads at which the frame stands are not among them:
// it has just read them.
func deadVariables(t *target, scope *proc.EvalScope, frame int) map[string]bool {
	if frame == 0 || scope.Fn == nil || !hasCollected(scope) {
		return nil // within a function no map is exact
	}
	low, live, err := liveWords(t, scope)
	if err != nil {
		return nil
	}
	vars, err := scope.LocalVariables(proc.LoadConfig{})
	if err != nil {
		return nil
	}
	names := map[string]bool{}
	for _, v := range vars {
		at := (int64(v.Addr) - int64(low)) / wordSize
		if v.Flags&proc.VariableShadowed != 0 || !refers(v.Kind) || v.Addr < low || at >= int64(len(live)) {
			continue
		}
		if second := v.Kind == reflect.Interface && at+1 < int64(len(live)) && live[at+1]; !live[at] && !second {
			names[v.Name] = true
		}
	}
	if len(names) == 0 {
		return nil
	}
	for _, name := range namesAt(scope.File, scope.Line) {
		delete(names, name)
	}
	return names
}

// refers: what such a variable is lies elsewhere.
func refers(k reflect.Kind) bool {
	switch k {
	case reflect.String, reflect.Slice, reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface:
		return true
	}
	return false
}

// hasCollected says that the collector has run.
func hasCollected(scope *proc.EvalScope) bool {
	n, known := number(scope, "runtime.memstats.numgc")
	return known && n > 0
}

// liveWords are the words of a frame's locals from an address on: whether each is a
// pointer that the code still reads.
func liveWords(t *target, scope *proc.EvalScope) (low uint64, live []bool, err error) {
	f, err := findRecord(t, scope)
	if err != nil {
		return 0, nil, err
	}
	index, err := f.pcdata(t, scope, stackMapIndex)
	if err != nil {
		return 0, nil, err
	}
	at, err := f.funcdata(t, localsMaps)
	if err != nil {
		return 0, nil, err
	}
	head, err := t.bytes(at, 8)
	if err != nil {
		return 0, nil, err
	}
	maps, bits := int(int32(binary.LittleEndian.Uint32(head))), int(int32(binary.LittleEndian.Uint32(head[4:])))
	if index = max(index, 0); index >= maps || bits <= 0 || bits > 1<<16 {
		return 0, nil, errNoMap
	}
	size := (bits + 7) / 8
	text, err := t.bytes(at+8+uint64(index*size), size)
	if err != nil {
		return 0, nil, err
	}
	live = make([]bool, bits)
	for i := range live {
		live[i] = text[i/8]>>(i%8)&1 != 0
	}
	top := uint64(scope.Regs.CFA) - wordSize // the caller's frame pointer
	if runtime.GOARCH == "amd64" {
		top -= wordSize // and the address of return
	}
	return top - uint64(bits)*wordSize, live, nil
}

func (t *target) bytes(at uint64, n int) ([]byte, error) {
	b := make([]byte, n)
	_, err := t.Memory().ReadMemory(b, at)
	return b, err
}

// record is the runtime's of a function.
type record struct {
	at     uint64
	head   []byte
	table  uint64 // of the values by addresses
	gofunc uint64
}

func findRecord(t *target, scope *proc.EvalScope) (*record, error) {
	const of = "runtime.firstmoduledata."
	text, okText := number(scope, of+"text")
	gofunc, okFunc := number(scope, of+"gofunc")
	functions, count, errF := sliceAt(scope, of+"ftab")
	lines, _, errL := sliceAt(scope, of+"pclntable")
	table, _, errT := sliceAt(scope, of+"pctab")
	if err := errors.Join(errF, errL, errT); err != nil || !okText || !okFunc {
		return nil, errors.Join(errNoMap, err)
	}
	wanted := uint32(scope.Fn.Entry - text)
	var failed error
	entry := func(i int) (begin, record uint32) {
		b, err := t.bytes(functions+uint64(i)*8, 8)
		if err != nil {
			failed = err
			return 0, 0
		}
		return binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
	}
	i := sort.Search(count, func(i int) bool { begin, _ := entry(i); return begin >= wanted })
	begin, offset := entry(min(i, count-1))
	if failed != nil || begin != wanted {
		return nil, errors.Join(errNoMap, failed)
	}
	r := &record{at: lines + uint64(offset), table: table, gofunc: gofunc}
	var err error
	if r.head, err = t.bytes(r.at, recordSize); err != nil {
		return nil, err
	}
	if binary.LittleEndian.Uint32(r.head) != wanted {
		return nil, errNoMap // another version keeps it otherwise
	}
	return r, nil
}

func sliceAt(scope *proc.EvalScope, expr string) (at uint64, length int, err error) {
	v, err := scope.EvalExpression(expr, shallow)
	if err != nil {
		return 0, 0, err
	}
	return v.Base, int(v.Len), v.Unreadable
}

func (r *record) tables() int { return int(binary.LittleEndian.Uint32(r.head[28:])) }

func (r *record) word(t *target, i int) (uint32, error) {
	b, err := t.bytes(r.at+recordSize+uint64(i)*4, 4)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}

func (r *record) funcdata(t *target, i int) (uint64, error) {
	if i >= int(r.head[recordSize-1]) {
		return 0, errNoMap
	}
	offset, err := r.word(t, r.tables()+i)
	if err != nil || offset == missing {
		return 0, errors.Join(errNoMap, err)
	}
	return r.gofunc + uint64(offset), nil
}

// pcdata is the value of a table at the place at which the frame stands.
func (r *record) pcdata(t *target, scope *proc.EvalScope, i int) (int, error) {
	if i >= r.tables() {
		return 0, errNoMap
	}
	offset, err := r.word(t, i)
	if err != nil || offset == 0 {
		return 0, errors.Join(errNoMap, err)
	}
	const longest = 1 << 14
	text, err := t.bytes(r.table+uint64(offset), longest)
	if err != nil {
		return 0, err
	}
	quantum := uint64(1)
	if runtime.GOARCH == "arm64" {
		quantum = 4
	}
	value, at := -1, scope.Fn.Entry
	for first := true; ; first = false {
		change, n := binary.Uvarint(text)
		if n <= 0 || change == 0 && !first {
			return 0, errNoMap
		}
		length, m := binary.Uvarint(text[n:])
		if m <= 0 {
			return 0, errNoMap
		}
		if change&1 != 0 {
			value += int(^(change >> 1))
		} else {
			value += int(change >> 1)
		}
		if at += length * quantum; scope.PC < at {
			return value, nil
		}
		text = text[n+m:]
	}
}
