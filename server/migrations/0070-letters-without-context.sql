-- Texts were folded with the context of each letter: a capital sigma at the end of a word became another
-- letter than within it, so that a search for the beginning of a name did not find it. Lower case could also
-- leave letters that were not composed. Columns that end in _folded get what is stored from now on.
create function pg_temp.folded_again(folded text) returns text language sql immutable strict
  return normalize(replace(folded, chr(962), chr(963)), NFC);

do $$
declare
  col record;
  changed text;
  update_all text;
  place tid;
begin
  -- No other encoding has these letters, or can be normalized.
  if getdatabaseencoding() <> 'UTF8' then return; end if;
  for col in
    select relname, attname from pg_attribute join pg_class on pg_class.oid = attrelid
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
      and attname like '%\_folded' and not attisdropped
  loop
    changed := format('octet_length(%1$I) > length(%1$I) and %1$I <> pg_temp.folded_again(%1$I)',
      col.attname);
    update_all := format('update %1$I set %2$I = pg_temp.folded_again(%2$I)', col.relname, col.attname);
    begin
      execute update_all || ' where ' || changed;
    exception when unique_violation then
      -- Where texts are unique, one that became equal to another stays as it is.
      for place in execute format('select ctid from %I where ', col.relname) || changed loop
        begin
          execute update_all || ' where ctid = $1' using place;
        exception when unique_violation then null;
        end;
      end loop;
    end;
  end loop;
end
$$;

drop function pg_temp.folded_again(text);
