-- Of many rules, the one for a transition is found without looking at the others.
CREATE INDEX transition_rules_of_resource ON transition_rules (sandbox, transition, resource, position);
