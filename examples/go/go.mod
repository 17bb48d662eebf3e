module example.com/provision

go 1.19

require github.com/svc-mock/svc-mock/clients/go v0.0.0

replace github.com/svc-mock/svc-mock/clients/go => ../../clients/go
