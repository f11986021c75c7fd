-- A membership of an account that existed before gives no access until the person accepts it, and
-- the server knows by whom a password can be known. Sessions tell where they are used.

alter table memberships
  add column status text not null default 'ACTIVE' check (status in ('ACTIVE', 'INVITED'));

alter table users
  -- When the owner of the email signed in by the identity provider, or the operator named them.
  add column email_proved_at timestamptz,
  -- Who chose the password: the operator at a first start, an administrator of an organization, or
  -- whoever held an invitation or the password before.
  add column password_origin text
    check (password_origin in ('OPERATOR', 'ADMINISTRATOR', 'PERSON'));

update users set password_origin = 'ADMINISTRATOR' where password_hash is not null;
-- A first start makes the organization and its administrator at one moment.
update users u
set email_proved_at = u.created_at,
  password_origin = case when u.password_hash is null then null else 'OPERATOR' end
from memberships m join organizations o on o.id = m.organization_id
where m.user_id = u.id and m.created_at = o.created_at and u.created_at = o.created_at;
alter table users add constraint users_password_origin_known
  check ((password_hash is null) = (password_origin is null));

-- Emails are compared by ASCII case only: a Kelvin sign is not a k. What differed in all letters
-- still differs, so the constraint holds.
update users
set email_folded =
  translate(email, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');

alter table invitations
  add column id uuid not null default gen_random_uuid() constraint invitations_id_unique unique;
alter table invitations alter column id drop default;
create index invitations_by_user on invitations (user_id);

alter table sessions
  add column last_used_at timestamptz,
  add column address text,
  add column user_agent text check (char_length(user_agent) <= 300),
  add column by_provider boolean not null default false;
update sessions set last_used_at = created_at;
alter table sessions alter column last_used_at set not null;

-- Addresses from which a user signed in before: failures from there are counted by themselves.
create table known_addresses (
  user_id uuid not null references users (id) on delete cascade,
  address text not null,
  last_used_at timestamptz not null,
  primary key (user_id, address)
);

create index known_addresses_by_age on known_addresses (last_used_at);

-- Who made an API key. Plain text without a reference, since a key may outlive its maker.
alter table api_keys
  add column created_by_kind text check (created_by_kind in ('USER', 'API_KEY', 'SYSTEM')),
  add column created_by_id text,
  add column created_by_name text,
  add check ((created_by_kind is null) = (created_by_name is null));

create index api_keys_by_maker on api_keys (organization_id, created_by_id);
