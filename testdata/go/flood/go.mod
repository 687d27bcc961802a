module flood

go 1.26
