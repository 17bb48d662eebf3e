// Cleans up at the end, which a failed expectation never reaches.
// Class: a crash between write and record
// Report: kubernetes-csi/csi-test#260
// Client: csi-test, before the change
// Mistake: left-behind
package main

func work() error {
	id, err := ensure("writer")
	if err == nil {
		err = wait(id)
	}
	//- if err != nil {
	//- 	return err
	//- }
	if failed := cleanUp(id, "writer"); failed != nil {
		return failed
	}
	return err
}
