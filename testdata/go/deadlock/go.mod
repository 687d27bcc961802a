module deadlock

go 1.26
