// Creates a machine and then changes it; if that fails, its own state lacks the machine.
// Class: an id kept too late
// Report: NikolaLohinski/terraform-provider-freebox#7
// Client: terraform-provider-freebox, before the change
// Mistake: forgotten or left-behind
package main

func work() error {
	//- id, err := create("writer")
	//+ id, err := ensure("writer")
	if err != nil {
		return err
	}
	if err := activeOrGone(id); err != nil {
		return err
	}
	_, err = patiently(func() (reply, error) { return call("PUT", path(id), `{"auto_stop_minutes":30}`) })
	return err
}
