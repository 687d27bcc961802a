package inspect

import "testing"

// Pieces of a text are of whole characters, and together they are the text.
func TestPiecesAreTheText(t *testing.T) {
	const text = "aä€🙂z"
	for count := 1; count <= len(text); count++ {
		got := ""
		for at := 0; at < len(text); {
			piece, next := Piece(text, at, count)
			if next <= at || text[at:next] != piece {
				t.Fatalf("Piece(%q, %d, %d) = %q, %d", text, at, count, piece, next)
			}
			got, at = got+piece, next
		}
		if got != text {
			t.Errorf("by %d: %q", count, got)
		}
	}
	if piece, next := Piece(text, 100, 5); piece != "" || next != len(text) {
		t.Errorf("behind the end: %q, %d", piece, next)
	}
}
