-- When operators were told of an alarm by mail. Those of before are told in the console alone.
ALTER TABLE alarms ADD COLUMN mailed_at bigint;
UPDATE alarms SET mailed_at = raised_at;
CREATE INDEX alarms_unmailed ON alarms (id) WHERE mailed_at IS NULL AND acknowledged_at IS NULL;
