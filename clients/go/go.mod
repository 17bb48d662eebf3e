module github.com/svc-mock/svc-mock/clients/go

go 1.19
