module example.org/vendored

go 1.26

require example.org/greeting v1.2.3
