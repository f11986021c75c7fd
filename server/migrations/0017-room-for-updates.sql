-- When a Device was last seen and what it sent is written every few seconds. With room in the page
-- the new version of a row stays there, and no index has to follow.
alter table devices set (fillfactor = 70);
alter table device_ingest set (fillfactor = 70);
