package diagnose

import (
	"context"
	"fmt"
	"slices"

	"aidb-mcp/adapters"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session"
)

// How much of the stack is shown.
const (
	mostFrames    = 5
	mostArguments = 8
	deepStack     = 200 // frames that are looked at where the nearest do not show its end
)

// addCallers shows the nearest frames of the user's code with their arguments.
func (o *outcome) addCallers(ctx context.Context) error {
	stack, whole, err := o.wholeStack(ctx)
	if err != nil {
		return err
	}
	if o.v.Exception != nil && o.v.Exception.Origin.Again != nil {
		stack, whole = framesOfThrow(stack, o.v.Exception.Origin.First), true
	}
	var at []int       // the frames that are shown
	var column, id int // of the last of them
	for _, f := range stack {
		if f.Internal || f.File == "" {
			continue
		}
		shown := Frame{Place: Place{File: f.File, Line: f.Line, Function: f.Function}}
		if id != 0 && f.ID == id { // it caught what it has thrown again
			continue
		}
		id = f.ID
		if last := len(o.r.Frames) - 1; last >= 0 && o.r.Frames[last].Place == shown.Place && !hasOtherColumn(column, f.Column) {
			o.r.Frames[last].Times = max(o.r.Frames[last].Times, 1) + 1
			continue
		}
		o.r.Frames, at, column = append(o.r.Frames, shown), append(at, f.Index), f.Column
	}
	if last := len(o.r.Frames) - 1; !whole && last >= 0 {
		o.r.Frames[last].AtLeast = o.r.Frames[last].Times > 0
		o.r.Frames[last].More = !o.r.Frames[last].AtLeast
	}
	if n := len(at); n > mostFrames { // the outermost says what was begun
		o.r.Frames = shorten(o.r.Frames)
		at = append(at[:mostFrames-1], at[n-1])
	}
	for i := range at {
		var err error
		if o.r.Frames[i].Arguments, err = o.argumentsOf(ctx, at[i]); err != nil {
			return err
		}
	}
	return nil
}

// framesOfThrow are the frames of a stack in which an exception was thrown first that is shown there,
// and was thrown again since: others stand below them, and a frame that it went through
// twice is shown at its last line each time.
func framesOfThrow(stack []session.Frame, first []adapters.Thrown) []session.Frame {
	own := slices.DeleteFunc(slices.Clone(stack), func(f session.Frame) bool { return f.Internal || f.File == "" })
	var frames []session.Frame
	for i, t := range first {
		if i == len(own) || own[i].File != t.File { // it shows others
			break
		}
		own[i].Line, own[i].ID = t.Line, 0
		frames = append(frames, own[i])
	}
	return frames
}

// hasOtherColumn says whether two places of one line differ in their columns: nameless
// functions of one line call each other there.
func hasOtherColumn(a, b int) bool { return a > 0 && b > 0 && a != b }

// shorten keeps the nearest of too many frames, and the outermost, which says what was
// begun.
func shorten(frames []Frame) []Frame {
	last := len(frames) - 1
	left := callCount(frames[mostFrames-1 : last])
	frames = append(frames[:mostFrames-1], frames[last])
	frames[mostFrames-2].Left = left
	return frames
}

// callCount counts the calls that frames stand for: one frame may stand for many.
func callCount(frames []Frame) (n int) {
	for _, f := range frames {
		n += max(f.Times, 1)
	}
	return n
}

// wholeStack is the stack, with more of it than is known as yet where its end was not seen;
// whole says that it is seen now.
func (o *outcome) wholeStack(ctx context.Context) (stack []session.Frame, whole bool, err error) {
	stack = o.v.Stack
	n := len(stack)
	if n == 0 || n == o.v.StackTotal || o.r.Recursion != nil {
		return stack, true, nil
	}
	frames, total, err := o.s.Stopped().Stack(ctx, 0, 0, deepStack)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, false, context.Cause(ctx)
	case err != nil:
		return stack, false, nil
	}
	if len(frames) > n { // those that are known may have been moved
		stack = append(slices.Clone(stack), frames[n:]...)
	}
	return stack, total > 0 && total <= len(frames), nil
}

// showFirstThrow shows where an exception was thrown that a handler has thrown again, and
// through which frames it came there: what stood in them is gone. False where it was
// thrown where the program stands, or that is not known.
func (o *outcome) showFirstThrow() bool {
	e := o.v.Exception
	if e == nil || e.Origin.Again != nil {
		return false
	}
	o.r.Frames = o.framesOf(judge.PlacesOf(e.Origin.First))
	if len(o.r.Frames) == 0 {
		return false
	}
	again := o.r.Place
	o.r.Elsewhere = true
	o.r.showAt(o.userCode, o.r.Frames[0].Place, 0)
	if again.File == o.r.Place.File && again.Line == o.r.Place.Line { // its runtime shows it there once more
		return true
	}
	o.r.warn(fmt.Sprintf("it was caught and thrown again at %s in %s, where the program stands", o.s.RelAt(placeText(again.File, again.Line)), again.Function))
	return true
}

// addRethrows says of an exception what is known of its way before the program stood at it,
// where it is not shown at its first throw, or was thrown again since.
func (o *outcome) addRethrows() {
	if o.v.Exception == nil {
		return
	}
	origin := o.v.Exception.Origin
	if made := origin.Made; made != nil {
		o.r.warn(fmt.Sprintf("it was made at %s in %s, and where it was thrown first is not known", o.s.RelAt(placeText(made.File, made.Line)), made.Function))
	}
	if again := origin.Again; again != nil {
		o.r.warn(fmt.Sprintf("it was caught and raised again at %s in %s", o.s.RelAt(placeText(again.File, again.Line)), again.Function))
	}
}

// addRecursion describes a stack that repeats without end, and shows one round.
func (o *outcome) addRecursion(ctx context.Context) error {
	if !judge.Repeats(places(o.v.Stack)) {
		return nil
	}
	frames, total, err := o.s.Stopped().Stack(ctx, 0, 0, deepStack)
	if err != nil {
		return context.Cause(ctx)
	}
	period, length := judge.Recursion(places(frames))
	if period == 0 && len(frames) > 0 { // it is at the first line of the function
		frames = frames[1:]
		period, length = judge.Recursion(places(frames))
	}
	if period == 0 || length < len(frames) && !o.r.Overflow {
		return nil
	}
	o.v.Stack, o.r.Frames = frames[:period], nil
	if total > 0 {
		o.v.Stack = append(o.v.Stack, frames[length:]...)
	}
	o.r.Recursion = &Recursion{Frames: length, AtLeast: total == 0, Period: period, Silent: !o.r.Overflow}
	o.r.Overflow = true
	return o.addCallers(ctx)
}

func places(frames []session.Frame) []string {
	list := make([]string, len(frames))
	for i, f := range frames {
		list[i] = fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Function)
	}
	return list
}
