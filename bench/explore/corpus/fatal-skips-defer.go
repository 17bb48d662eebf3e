// Ends by os.Exit, so that its deferred clean-up does not run.
// Class: a crash between write and record
// Report: Kong/kubernetes-ingress-controller#2652
// Client: kubernetes-ingress-controller, before the change
// Mistake: left-behind
package main

//- import "os"
//-
func work() (err error) {
	id := ""
	defer func() {
		if failed := cleanUp(id, "writer"); failed != nil {
			err = failed
		}
	}()
	id, err = ensure("writer")
	if err != nil {
		//- os.Exit(1)
		//+ return err
	}
	if err := wait(id); err != nil {
		//- os.Exit(1)
		//+ return err
	}
	return nil
}
