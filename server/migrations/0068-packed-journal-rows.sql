-- Versions that know this migration read packed journal rows, and write them once no older one runs.
comment on column journal.data is 'readings in the order of their arrival, plain or packed';
