module ring

go 1.26
