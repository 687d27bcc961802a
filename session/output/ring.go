package output

// ring keeps the last limit bytes written to it.
type ring struct {
	limit int
	buf   []byte
	end   int64 // bytes ever written
}

func (r *ring) write(b []byte) {
	if skip := len(b) - r.limit; skip > 0 {
		r.end += int64(skip)
		b = b[skip:]
	}
	if need := int(min(int64(r.limit), r.end+int64(len(b)))); need > len(r.buf) {
		r.buf = append(r.buf, make([]byte, need-len(r.buf))...)
	}
	for len(b) > 0 {
		n := copy(r.buf[r.end%int64(r.limit):], b)
		r.end += int64(n)
		b = b[n:]
	}
}

// from copies what is kept at and after position pos; first is where it begins.
func (r *ring) from(pos int64) (first int64, b []byte) {
	first = max(pos, r.end-int64(r.limit))
	b = make([]byte, 0, r.end-first)
	for at := first; at < r.end; {
		i := at % int64(r.limit)
		n := min(r.end-at, int64(len(r.buf))-i)
		b = append(b, r.buf[i:i+n]...)
		at += n
	}
	return first, b
}
