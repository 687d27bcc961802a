package attempt

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// callHelpers has other machines help, where more is to be tried than can be at once. Each makes the
// check without any change first: one where that does otherwise than here tells nothing of the
// changes. Dismiss ends it and notes what they have tried.
func (w *work) callHelpers(ctx context.Context, l *trialPool, r *Result, known <-chan struct{}, spare int) (dismiss func(list []*candidateTrial)) {
	if w.Helpers == nil || spare <= 0 {
		return func([]*candidateTrial) {}
	}
	ctx, cancel := context.WithCancel(ctx)
	helpers, why := w.Helpers()
	if why != "" {
		r.Helped = append(r.Helped, Help{Why: why})
	}
	var joining sync.WaitGroup
	for _, helper := range helpers {
		joining.Go(func() { // ends with the check there
			if why := w.prove(ctx, helper, l.share(0), r, known); why != "" {
				helper.SetAside(why)
				return
			}
			l.join(helper)
		})
	}
	return func(list []*candidateTrial) {
		cancel()
		joining.Wait()
		for _, helper := range helpers {
			help := Help{Machine: helper.Name(), Why: helper.Aside()}
			for _, t := range list {
				if t.row.Machine == help.Machine {
					help.Tried++
				}
			}
			r.Helped = append(r.Helped, help)
		}
	}
}

// prove says why a machine cannot help; empty: the check does there what it does here.
func (w *work) prove(ctx context.Context, helper Helper, limit time.Duration, r *Result, known <-chan struct{}) string {
	result, checked, err := w.runCheck(ctx, helper, nil, Check{}, limit)
	switch {
	case ctx.Err() != nil:
		return "all was tried before it was ready"
	case err != nil:
		return err.Error()
	case result.Error != nil:
		return "the check cannot be made there: " + result.Error.Message
	}
	select {
	case <-known:
	case <-ctx.Done():
		return "all was tried before it was ready"
	}
	if r.Before == nil || !checked.isLike(r.Before) {
		return fmt.Sprintf("the check without any change does otherwise there: %s %s", checked.Verdict, firstLine(checked.Message))
	}
	return ""
}
