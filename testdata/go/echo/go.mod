module echo

go 1.26
