module relay

go 1.26
