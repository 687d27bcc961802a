//go:build linux

package real

import (
	"regexp"
	"strconv"
)

// step is one of why's chain.
type step struct {
	At, Function, Kind, Value string
	Operands                  []struct{ Name, Value string }
}

// chain is what why answers, with a first step whose value is the one asked about.
func (s *story) chain(ask A) []step {
	s.t.Helper()
	ask["timeout_ms"] = waitLimit
	r := s.OK("why", ask)
	var chain []step
	r.Decode(&chain, "data", "chain")
	if len(chain) == 0 || chain[0].Value != r.At("data", "value") {
		s.t.Fatalf("the chain does not begin with the value in\n%s", r)
	}
	return chain
}

// rows is the table that trace answers.
func (s *story) rows(ask A) (rows [][]string) {
	s.t.Helper()
	ask["timeout_ms"] = waitLimit
	s.OK("trace", ask).Decode(&rows, "data", "rows")
	return rows
}

// sqliteRows has the report of the shop as a table.
func sqliteRows(s *story) {
	printed := regexp.MustCompile(`(.*): ([\d.]+) in (\d+) orders`).FindAllStringSubmatch(s.truth("./shop", "sums"), -1)
	rows := s.rows(A{"target": "shop", "args": []string{"sums"}, "what": "values", "location": s.at("shop.c", "row++;"), "expressions": []string{"c->name", "c->total", "c->orders"}})
	s.same("the rows", strconv.Itoa(len(rows)), strconv.Itoa(len(printed)))
	for i, row := range rows {
		total, _ := strconv.ParseFloat(row[2], 64)
		s.same("the customer", row[1], strconv.Quote(printed[i][1]))
		s.same("the total and the orders", strconv.FormatFloat(total, 'f', 2, 64)+" "+row[3], printed[i][2]+" "+printed[i][3])
	}
}

// sqliteWhence follows a sum from the shop into the database.
func sqliteWhence(s *story) {
	chain := s.chain(A{"target": "shop", "args": []string{"sums"}, "location": s.at("shop.c", "row++;"), "expression": "c->total", "condition": "row == 4"})
	s.same("the sum", chain[0].Value, s.find(`customer 4: ([\d.]+)`, s.truth("./shop", "sums")))
	s.same("the statement", chain[0].At, s.at("shop.c", "c->total = sqlite3_column_double"))
	if len(chain) < 3 || chain[1].Kind != "returned" || chain[2].Function != "sqlite3_column_double" {
		s.t.Errorf("the chain is %+v", chain)
	}
}

// factorial is the test of GoogleTest's samples that fails.
const factorial = "FactorialTest.Positive"

// googleRows has all calls of the tested function, the wrong one of the report among them.
func googleRows(s *story) {
	printed := s.truth("./samples", "--gtest_filter="+factorial)
	rows := s.rows(A{"target": "samples", "test": factorial, "what": "calls", "functions": []string{"Factorial"}})
	last := rows[len(rows)-1]
	s.same("the call", last[1]+" "+last[2], "Factorial(n=8) "+s.find(`Factorial\(8\)\n +Which is: (\d+)`, printed))
	s.same("its caller", last[3], "FactorialTest_Positive_Test::TestBody "+google+"samples/sample1_unittest.cc:"+s.find(`sample1_unittest\.cc:(\d+): Failure\n.*\n +40320`, printed))
}

// googleWhence finds which factor a wrong product got last.
func googleWhence(s *story) {
	printed := s.truth("./samples", "--gtest_filter="+factorial)
	chain := s.chain(A{"target": "samples", "test": factorial, "location": s.at(google+"samples/sample1.cc", "return result;"), "expression": "result", "condition": "n == 8"})
	s.same("the product", chain[0].Value, s.find(`Factorial\(8\)\n +Which is: (\d+)`, printed))
	s.same("the statement", chain[0].At+" in "+chain[0].Function, s.at(google+"samples/sample1.cc", "result *= i;")+" in Factorial")
	s.same("the last factor", chain[0].Operands[1].Name+" "+chain[0].Operands[1].Value, "i 7")
}

// hexylRows has the bytes of a dump as a table.
func hexylRows(s *story) {
	dump := []string{"--color=never", "--border=none", "--no-position", "--no-characters", "-n", "16", "Cargo.toml"}
	printed := regexp.MustCompile(`\b[0-9a-f]{2}\b`).FindAllString(s.truth(append([]string{"target/debug/hexyl"}, dump...)...), -1)
	rows := s.rows(A{"target": ".", "args": dump, "what": "values", "location": s.at("src/lib.rs", "self.print_byte(i, b)?"), "expressions": []string{"i", "b"}})
	s.same("the rows", strconv.Itoa(len(rows)), strconv.Itoa(len(printed)))
	for i, row := range rows {
		b, _ := strconv.Atoi(row[2])
		s.same("the byte", row[1]+" "+strconv.FormatInt(int64(b), 16), strconv.Itoa(i)+" "+printed[i])
	}
}

// hexylWhence follows the unit of a wrong offset back to the text that the test has given.
func hexylWhence(s *story) {
	const test = "test_parse_byte_offset"
	report := s.truth("cargo", "test", "--locked", test)
	chain := s.chain(A{"language": "rust", "test": test, "location": s.at("src/main.rs", "num.checked_mul(unit.get_multiplier())"), "expression": "unit"})
	s.same("the statement", chain[0].At, s.at("src/main.rs", "= extract_num_and_unit_from(n)?;"))
	last := chain[len(chain)-1]
	s.same("who has passed it", last.Kind+" "+last.Function, "passed hexyl::tests::"+test)
	s.same("the text", chain[0].Value+" of "+last.Value, `Gibibyte of "1GiB"`)
	s.find(`left: Ok\(ByteOffset \{ value: NonNegativeI64\((2147483648)\)`, report) // 1 GiB is half of that
}
