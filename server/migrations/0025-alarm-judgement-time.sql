-- A reading whose time is ahead of the clock is judged at its arrival. Where that was so, `judged_to`
-- is the time of the reading, and this is when it was judged.
alter table alarm_watches add column judged_at timestamptz;
