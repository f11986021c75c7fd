-- The order in which batches were committed, across all journals. Within one journal, ids decide.
create sequence journal_commits;
alter table journal add column commit_order bigint;
update journal set commit_order = ranked.position
  from (select writer, id, row_number() over (order by writer, id) as position from journal) ranked
  where ranked.writer = journal.writer and ranked.id = journal.id;
select setval('journal_commits', coalesce((select max(commit_order) from journal), 1));
alter table journal
  alter column commit_order set default nextval('journal_commits'),
  alter column commit_order set not null;
