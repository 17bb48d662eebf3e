// Logs the error of a deletion, and reports success.
// Class: errors hidden
// Report: keycloak/terraform-provider-keycloak#1691
// Mistake: false-success
package main

import "log"

func work() error {
	id, err := find("old")
	if err != nil || id == "" {
		return err
	}
	if err := remove(id); err != nil {
		//- log.Print(err)
		//+ log.Print("not deleted")
		//+ return err
	}
	return nil
}
