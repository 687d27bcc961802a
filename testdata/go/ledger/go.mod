module ledger

go 1.26
