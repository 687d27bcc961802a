module crowd

go 1.26
