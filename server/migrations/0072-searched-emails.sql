-- Emails are one account by ASCII case alone; searches make no difference between the cases of any letter.
alter table users add column email_searched text;

do $$
begin
  -- No other encoding can be normalized. Lower case depends on the locale; what is written from now on does not.
  if getdatabaseencoding() <> 'UTF8' then return; end if;
  update users
  set email_searched = normalize(replace(lower(normalize(email, NFC)), chr(962), chr(963)), NFC)
  where octet_length(email) > length(email);
end
$$;
