// Package text is a second package of the module.
package text

// Shout makes it loud.
func Shout(s string) string {
	loud := s + "!" //@mark loud
	return loud
}
