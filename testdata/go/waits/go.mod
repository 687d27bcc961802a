module waits

go 1.24
