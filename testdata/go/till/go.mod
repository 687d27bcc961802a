module till

go 1.22
