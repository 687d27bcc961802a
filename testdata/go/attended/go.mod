module attended

go 1.25
