-- A row of chunks is stored in its page as a whole if it fits, instead of its data in a table beside
-- it: a chart reads few bytes of many chunks, and finds each with one access. Rows that were stored
-- before stay as they are.
alter table chunks set (toast_tuple_target = 8160);
