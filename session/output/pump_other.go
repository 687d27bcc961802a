//go:build !unix

package output

import "os"

// pump moves a pipe into its stream; one goroutine runs it.
type pump struct {
	file *os.File
	into *stream
}

func newPump(file *os.File, into *stream) *pump {
	if file == nil {
		return nil
	}
	return &pump{file: file, into: into}
}

func (p *pump) run() {
	buf := make([]byte, 64<<10)
	for {
		n, err := p.file.Read(buf)
		p.into.write(buf[:n])
		if err != nil {
			return
		}
	}
}

// drain can do nothing here: pipes are only read by waiting.
func (p *pump) drain() {}
