-- What is to be credited, oldest first: a round reads what it takes, however many wait.
CREATE INDEX deposits_due ON deposits (id) WHERE state = 'SEEN' AND NOT is_refused;
