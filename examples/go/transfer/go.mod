module transfer

go 1.26
