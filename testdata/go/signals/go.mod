module signals

go 1.26
