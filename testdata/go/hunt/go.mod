module hunt

go 1.26
