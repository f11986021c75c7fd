-- The journal is emptied again and again. When vacuum gives the end of such a table back to the file
-- system, all who write wait for it, and a moment later the table grows again.
alter table journal set (vacuum_truncate = false, toast.vacuum_truncate = false);
