package diagnose

import (
	"errors"
	"path/filepath"
	"slices"

	"aidb-mcp/internal/fault"
	"aidb-mcp/investigate/diagnose/judge"
)

// takeStartError takes the verdict from a start that failed, if the program is the reason; else it returns the error.
func (r *Result) takeStartError(err error, code userCode, workspace string) error {
	var f *fault.Error
	if !errors.As(err, &f) {
		return err
	}
	switch {
	case f.Code == fault.BuildFailed:
		r.Verdict = judge.BuildFailed
		r.takeBuildError(f, code, workspace)
	case f.Kind == fault.NoSuchTest:
		r.Verdict = judge.NoTestRan
		r.Message = f.Message
		if f.Hint != "" {
			r.Message += "; " + f.Hint
		}
	default:
		return err
	}
	r.Session, r.Unrun = nil, true
	return nil
}

// takeBuildError takes why a program cannot be built, and where.
func (r *Result) takeBuildError(f *fault.Error, code userCode, workspace string) {
	r.Message, r.Build = f.Message, &BuildFailure{Details: f.Details}
	errs := f.SourceErrors()
	if len(errs) == 0 {
		return
	}
	first := errs[0]
	r.Message, r.Build.Details = first.Message, nil
	r.Build.Others = slices.DeleteFunc(slices.Clone(errs[1:]), func(e fault.SourceError) bool { return e.Message == first.Message })
	if !filepath.IsAbs(first.File) {
		first.File = filepath.Join(workspace, first.File)
	}
	r.showAt(code, Place{File: first.File, Line: first.Line}, 0)
}
