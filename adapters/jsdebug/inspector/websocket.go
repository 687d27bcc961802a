package inspector

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"
)

// longest is the longest message that is taken from an inspector, as in js-debug.
const longest = 256 << 20

// dialLimit is how long an inspector on this machine may take to answer.
const dialLimit = 5 * time.Second

// The kinds of frames of a web socket that an inspector may send.
const (
	frameRest  = 0x0
	frameText  = 0x1
	frameClose = 0x8
	framePing  = 0x9
	framePong  = 0xa
)

// socket is a web socket to an inspector, as far as node's needs one.
type socket struct {
	conn net.Conn
	in   *bufio.Reader
	mu   sync.Mutex // held while a frame is written
}

// dial opens the web socket at a URL such as ws://127.0.0.1:9229/6a5c….
func dial(address string) (*socket, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	conn, err := net.DialTimeout("tcp", u.Host, dialLimit)
	if err != nil {
		return nil, err
	}
	s := &socket{conn: quick{conn.(*net.TCPConn)}}
	s.in = bufio.NewReaderSize(s.conn, 64<<10)
	if err := s.shakeHands(u); err != nil {
		conn.Close()
		return nil, err
	}
	return s, nil
}

// shakeHands makes a web socket of the connection. The key guards against caches
// on the way, of which there are none.
func (s *socket) shakeHands(u *url.URL) error {
	_ = s.conn.SetDeadline(time.Now().Add(dialLimit))
	_, err := io.WriteString(s.conn, "GET "+u.RequestURI()+" HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
	if err != nil {
		return err
	}
	status, err := s.in.ReadString('\n')
	if err != nil {
		return err
	}
	if !strings.HasPrefix(status, "HTTP/1.1 101 ") {
		return fmt.Errorf("the inspector answers %q", strings.TrimSpace(status))
	}
	for {
		line, err := s.in.ReadString('\n')
		if err != nil {
			return err
		}
		if strings.TrimSpace(line) == "" {
			return s.conn.SetDeadline(time.Time{})
		}
	}
}

// send writes one message. Frames of a client have a mask; it is of zeros, for
// nobody is on the way who must not know what he carries.
func (s *socket) send(text []byte) error { return s.write(frameText, text) }

func (s *socket) write(kind byte, text []byte) error {
	const last, masked = 0x80, 0x80
	frame := []byte{last | kind}
	switch n := len(text); {
	case n < 126:
		frame = append(frame, masked|byte(n))
	case n < 1<<16:
		frame = binary.BigEndian.AppendUint16(append(frame, masked|126), uint16(n))
	default:
		frame = binary.BigEndian.AppendUint64(append(frame, masked|127), uint64(n))
	}
	frame = append(append(frame, 0, 0, 0, 0), text...)
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.conn.Write(frame)
	return err
}

// receive reads one message; io.EOF is the orderly end.
func (s *socket) receive() ([]byte, error) {
	var text []byte
	for {
		kind, last, part, err := s.read(longest - len(text))
		if err != nil {
			return nil, err
		}
		switch kind {
		case frameText, frameRest:
			if text = append(text, part...); last {
				return text, nil
			}
		case framePing:
			if err := s.write(framePong, part); err != nil {
				return nil, err
			}
		case framePong:
		default:
			return nil, io.EOF
		}
	}
}

var errTooLong = errors.New("the inspector sends a message that is too long")

// read reads one frame.
func (s *socket) read(most int) (kind byte, last bool, text []byte, err error) {
	var head [8]byte
	if _, err = io.ReadFull(s.in, head[:2]); err != nil {
		return 0, false, nil, err
	}
	kind, last = head[0]&0xf, head[0]&0x80 != 0
	length := uint64(head[1] & 0x7f)
	switch length {
	case 126:
		_, err = io.ReadFull(s.in, head[:2])
		length = uint64(binary.BigEndian.Uint16(head[:2]))
	case 127:
		_, err = io.ReadFull(s.in, head[:8])
		length = binary.BigEndian.Uint64(head[:8])
	}
	if err != nil {
		return 0, false, nil, err
	}
	if length > uint64(most) {
		return 0, false, nil, errTooLong
	}
	text = make([]byte, length)
	_, err = io.ReadFull(s.in, text)
	return kind, last, text, err
}

// close says goodbye; receive ends with node's answer to that, or soon. A program
// that has ended waits until its debugger has hung up.
func (s *socket) close() {
	_ = s.conn.SetDeadline(time.Now().Add(time.Second))
	_ = s.write(frameClose, nil)
}
