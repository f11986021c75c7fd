-- The head of a chunk of version 3, without which its data cannot be decoded. Charts read heads, and
-- of the data only what they decode. Older chunks have none.
alter table chunks add column head bytea;
alter table chunks alter column head set storage external;
