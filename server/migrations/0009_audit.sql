-- Who did what to whom, and why. Nobody changes it, the server's own mistakes included.
CREATE TABLE audit (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at        bigint NOT NULL,
  actor_id  bigint,
  act       text   NOT NULL,
  client_id bigint,
  reason    text   NOT NULL,
  detail    text   NOT NULL,
  address   text   NOT NULL
);
CREATE INDEX audit_by_client ON audit (client_id, id);
CREATE INDEX audit_by_actor ON audit (actor_id, id);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
  'BEGIN RAISE EXCEPTION ''This table is append only'' USING ERRCODE = ''check_violation'', CONSTRAINT = ''audit_append_only''; END';
CREATE TRIGGER audit_rows_stay BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_table_stays BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
