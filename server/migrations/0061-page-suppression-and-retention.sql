-- Pages whose open events are all suppressed wait, and go on afterwards.

alter table pages
  drop constraint pages_state_check,
  add constraint pages_state_check
    check (state in ('ACTIVE', 'ACKNOWLEDGED', 'RESOLVED', 'EXHAUSTED', 'SUPPRESSED')) not valid,
  -- A suppressed page goes on then, unless it is found to be suppressed before.
  add column resume_at timestamptz,
  -- Somebody escalated or reassigned it: it is not suppressed any more.
  add column ignores_suppression boolean not null default false;

-- Pages that are over are deleted after their retention, oldest first.
create index pages_ended on pages (ended_at) where ended_at is not null;
create index pages_of_tests on pages (created_at) where is_test;
