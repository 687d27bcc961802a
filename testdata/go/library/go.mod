module library

go 1.26
