package dap

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// readAll reads bodies until the first error.
func readAll(r io.Reader) (bodies []string, err error) {
	frames := newFrames(r)
	for {
		body, err := frames.next()
		if err != nil {
			return bodies, err
		}
		bodies = append(bodies, string(body))
	}
}

func TestFramesAreFoundInAnyStream(t *testing.T) {
	one := string(frame([]byte(`{"seq":1}`)))
	cases := map[string]struct {
		stream string
		bodies int
		err    error
	}{
		"nothing":                {"", 0, io.EOF},
		"two":                    {one + one, 2, io.EOF},
		"any case":               {"content-LENGTH:9\r\n\r\n{\"seq\":1}", 1, io.EOF},
		"bare newlines":          {"Content-Length: 9\n\n{\"seq\":1}", 1, io.EOF},
		"more fields":            {"Content-Length: 9\r\nContent-Type: json\r\n\r\n{\"seq\":1}", 1, io.EOF},
		"fields before":          {"Content-Type: json\r\nContent-Length: 9\r\n\r\n{\"seq\":1}", 1, io.EOF},
		"text on lines":          {"hello\nworld\n" + one + "\n\nbye\n" + one + "end\n", 2, io.EOF},
		"text without line end":  {"hello" + one + "world" + one, 2, io.EOF},
		"half a field before":    {"Content-Content-Len" + one, 1, io.EOF},
		"text like a field":      {"Content-Length: none\n" + one, 1, io.EOF},
		"negative":               {"Content-Length: -9\r\n\r\n" + one, 1, io.EOF},
		"text after the field":   {"Content-Length: 9\nhello\n" + one, 1, io.EOF},
		"a line without end":     {"Content-Length: " + strings.Repeat("9", 70<<10) + "\n" + one, 1, io.EOF},
		"ends in the field":      {one + "Content-Length: 9", 1, io.ErrUnexpectedEOF},
		"ends in the body":       {one + "Content-Length: 9\r\n\r\n{", 1, io.ErrUnexpectedEOF},
		"ends after much text":   {strings.Repeat("x\n", 100<<10) + one + "Content", 1, io.EOF},
		"promises what is false": {"Content-Length: 60000000\r\n\r\n{}", 0, io.ErrUnexpectedEOF},
	}
	for name, c := range cases {
		for _, reader := range []io.Reader{
			strings.NewReader(c.stream), iotest.OneByteReader(strings.NewReader(c.stream)),
		} {
			bodies, err := readAll(reader)
			if len(bodies) != c.bodies || !errors.Is(err, c.err) {
				t.Errorf("%s: %d messages, %v", name, len(bodies), err)
			}
			for _, body := range bodies {
				if body != `{"seq":1}` {
					t.Errorf("%s: message is %q", name, body)
				}
			}
		}
	}
}

func TestAHugeMessageIsRefused(t *testing.T) {
	_, err := readAll(strings.NewReader("Content-Length: 67108865\r\n\r\n{}"))
	if err == nil || !strings.Contains(err.Error(), "over the limit of 67108864") {
		t.Errorf("error is %v", err)
	}
}

func TestAHeaderWithoutEndIsGivenUp(t *testing.T) {
	stream := "Content-Length: 9\r\n" + strings.Repeat("More: fields\r\n", 10<<10) + string(frame([]byte("{}")))
	bodies, err := readAll(strings.NewReader(stream))
	if !slices.Equal(bodies, []string{"{}"}) || !errors.Is(err, io.EOF) {
		t.Errorf("got %q, %v", bodies, err)
	}
}

func TestSkippedBytesAreCounted(t *testing.T) {
	frames := newFrames(strings.NewReader("hello\n" + string(frame([]byte("{}"))) + string(frame([]byte("{}")))))
	for _, want := range []int{len("hello\n"), 0} {
		if _, err := frames.next(); err != nil || frames.skipped != want {
			t.Errorf("skipped %d bytes of %d, %v", frames.skipped, want, err)
		}
	}
}

// Whatever is on the stream, reading it ends, and no body is longer than what came.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("Content-Length: 2\r\n\r\n{}"))
	f.Add([]byte("text Content-Length: 3\nContent-Length: 1\n\n{Content-Length:0\n\n"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		bodies, err := readAll(bytes.NewReader(stream))
		if err == nil {
			t.Fatal("reading ended without a reason")
		}
		total := 0
		for _, body := range bodies {
			total += len(body)
		}
		if total > len(stream) {
			t.Errorf("%d bytes of bodies in a stream of %d", total, len(stream))
		}
	})
}

// Messages are found whatever stands between them.
func FuzzFramesBetweenText(f *testing.F) {
	f.Add("hello\n", `{"seq":1}`, "bye")
	f.Add("Content", "Content-Length: 7\r\n\r\n", ":\n\n")
	f.Fuzz(func(t *testing.T, before, body, between string) {
		for _, text := range []string{before, between} {
			if strings.Contains(strings.ToLower(text), lengthField) {
				return // indistinguishable from a header
			}
		}
		message := string(frame([]byte(body)))
		bodies, err := readAll(strings.NewReader(before + message + between + message))
		if !slices.Equal(bodies, []string{body, body}) || !errors.Is(err, io.EOF) {
			t.Errorf("got %q, %v", bodies, err)
		}
	})
}

func TestWhatIsSkippedCanBeRead(t *testing.T) {
	f := newFrames(strings.NewReader("cannot connect\ncontinue\nContent-Length: 2\r\n\r\n{}" + strings.Repeat("x", 1000)))
	if body, err := f.next(); err != nil || string(body) != "{}" {
		t.Fatalf("got %q, %v", body, err)
	}
	if got, want := f.odd.String(), "cannot connect\ncontinue\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := f.next(); err == nil || len(f.odd.String()) > oddKept {
		t.Errorf("%v, %d bytes kept", err, len(f.odd.String()))
	}
}
