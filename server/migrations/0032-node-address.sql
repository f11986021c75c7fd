-- Where the other nodes reach a node: host and port.
alter table nodes add column address text not null default '';
