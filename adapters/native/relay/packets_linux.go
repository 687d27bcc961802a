package relay

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// packet is one unit of the remote protocol as it is on the wire: an acknowledgement, an
// interrupt, or $data#sum.
type packet []byte

const interrupt = 0x03

func newPacket(data string) packet {
	var sum byte
	for i := range len(data) {
		sum += data[i]
	}
	return fmt.Appendf(nil, "$%s#%02x", data, sum)
}

// data is what a packet says; empty for an acknowledgement and for an interrupt.
func (p packet) data() []byte {
	if len(p) < 4 || p[0] != '$' {
		return nil
	}
	return p[1 : len(p)-3]
}

func (p packet) says(prefixes ...string) bool {
	for _, prefix := range prefixes {
		if bytes.HasPrefix(p.data(), []byte(prefix)) {
			return true
		}
	}
	return false
}

// isStop says that the program stands, or has ended.
func (p packet) isStop() bool { return p.says("T", "S", "W", "X") }

// isEnd says that the program has ended.
func (p packet) isEnd() bool { return p.says("W", "X") }

// resumes says that a request is answered when the program stops. What continues in the
// background does not exist here: neither of the two asks for it.
func (p packet) resumes() bool {
	return p.says("vCont;", "c", "s", "C", "S") || p.says("vAttach")
}

// readPacket reads the next packet. A bare byte between packets is one.
func readPacket(r *bufio.Reader) (packet, error) {
	first, err := r.ReadByte()
	if err != nil {
		return nil, err
	}
	if first != '$' && first != '%' {
		return packet{first}, nil
	}
	data, err := r.ReadBytes('#')
	if err != nil {
		return nil, err
	}
	p := append(packet{first}, data...)
	sum := make([]byte, 2)
	if _, err := io.ReadFull(r, sum); err != nil {
		return nil, err
	}
	return append(p, sum...), nil
}

// packets reads a stream to its end.
func packets(r io.Reader) <-chan packet {
	list := make(chan packet, 64)
	go func() {
		defer close(list)
		buffered := bufio.NewReaderSize(r, 64<<10)
		for {
			p, err := readPacket(buffered)
			if err != nil {
				return
			}
			list <- p
		}
	}()
	return list
}
