//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"time"

	"github.com/go-delve/delve/pkg/proc"
)

// haltAgain is after how long a program that has not halted is asked once more: Delve
// forgets a wish that comes between a stop and the moment at which it goes on.
const haltAgain = 10 * time.Millisecond

// hold halts the program for good, whatever the session has it do: nobody else gets at it
// any more.
func (f *front) hold() *proc.TargetGroup {
	held := make(chan *proc.TargetGroup)
	go func() {
		group, _ := f.dbg.LockTargetGroup()
		held <- group
	}()
	again := time.NewTicker(haltAgain)
	defer again.Stop()
	for {
		if f.dbg.IsRunning() {
			_ = f.group.RequestManualStop() // it fails where the program has ended, which is a halt too
		}
		select {
		case group := <-held:
			return group
		case <-again.C:
		}
	}
}
