-- A statement that must not leave a row out fails by itself when it does: what follows it in its
-- transaction, the COMMIT too, is sent without waiting for its answer.
create function require_rows(changed bigint, wanted bigint) returns void language plpgsql as $$
begin
  if changed < wanted then
    raise exception 'Of % rows, % are as they were.', wanted, changed using errcode = 'FW001';
  end if;
end
$$;
