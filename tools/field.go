package tools

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// field is one parameter as its struct field and tags describe it. The schema,
// the decoder and the documentation all read it.
//
// The tags: json is the name, doc the description, enum the allowed values with
// commas between, default the value when it is left out, min and max the range,
// required:"true" that it must be there, list how much of it tools/list shows, where
// that is not all: "no" nothing, "bare" only its type and default, "type" its type; of
// an object or a list of them "flat" leaves the members of these to the description.
type field struct {
	name     string
	index    []int // as of reflect.Value.FieldByIndex
	typ      reflect.Type
	doc      string
	enum     []string
	def      string
	min, max *int64
	required bool
	list     string
}

var rawType = reflect.TypeFor[json.RawMessage]()

// fieldsOf lists the parameters of a struct in their order, those of embedded
// structs at the place of the embedding.
func fieldsOf(typ reflect.Type) []*field {
	var fields []*field
	for _, f := range reflect.VisibleFields(typ) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" || name == "-" {
			continue
		}
		fields = append(fields, &field{
			name: name, index: f.Index, typ: f.Type,
			doc: f.Tag.Get("doc"), enum: split(f.Tag.Get("enum")), def: f.Tag.Get("default"),
			min: number(f.Tag, "min"), max: number(f.Tag, "max"),
			required: f.Tag.Get("required") == "true", list: f.Tag.Get("list"),
		})
	}
	return fields
}

func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// number reads a numeric tag. A bad one is a mistake in this package, which the
// golden schemas show.
func number(tag reflect.StructTag, key string) *int64 {
	n, err := strconv.ParseInt(tag.Get(key), 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

// kind is the JSON type of a Go type.
func kind(typ reflect.Type) string {
	if typ == rawType {
		return "object"
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return kind(typ.Elem())
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64:
		return "integer"
	case reflect.Slice:
		return "array"
	case reflect.Struct, reflect.Map:
		return "object"
	}
	return "string"
}
