module attached

go 1.24
