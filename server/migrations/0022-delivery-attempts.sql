-- The claim on one attempt. It is written before the content of a mail leaves, and removed with
-- the outcome of the attempt. While it lies ahead, the message may have arrived although nothing
-- confirmed it, and no other attempt begins.
alter table deliveries add column attempt_until timestamptz;
