-- What is to be credited of each coin on a network, lowest first: a round reads what it takes, however many wait.
CREATE INDEX deposits_due ON deposits (network, coin, height, id) WHERE state = 'SEEN' AND NOT is_refused;
