module mapwrite

go 1.26
