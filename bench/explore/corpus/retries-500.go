// Sends a creation again after a 500.
// Class: a lost reply
// Report: go-to-k/cdkd#2080
// Mistake: duplicate
package main

func work() error {
	//- id, err := create("writer")
	//- for tries := 1; temporary(err) && tries < 4; tries++ {
	//- 	pause(err, tries)
	//- 	id, err = create("writer")
	//- }
	//+ id, err := ensure("writer")
	if err != nil {
		return err
	}
	return activeOrGone(id)
}
