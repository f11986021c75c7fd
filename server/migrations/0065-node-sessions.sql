-- The name that the database sessions of a node's present start carry. Those that a restart opens
-- before it has joined carry another one: they are not ended with the sessions of the start before.
alter table nodes add column session_name text;
