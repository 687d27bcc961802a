module churn

go 1.26
