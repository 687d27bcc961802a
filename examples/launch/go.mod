module example.org/launch

go 1.25
