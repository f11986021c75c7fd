-- Channels for SMS and calls, and telephones as targets of deliveries.

create table phone_channels (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  name_folded text not null,
  kind text not null check (kind in ('SMS', 'VOICE')),
  is_active boolean not null,
  method text not null check (method in ('GET', 'POST')),
  url text not null check (char_length(url) <= 2000),
  -- Pairs of name and value.
  headers json not null,
  content_type text not null,
  body text,
  sender text,
  success_text text,
  -- Encrypted with a key that is not in this database.
  encrypted_credential bytea,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, id),
  check ((method = 'POST') = (body is not null))
);

create index phone_channels_newest on phone_channels (organization_id, created_at desc, id desc);

alter table notification_targets
  -- An international number with its plus sign.
  add column phone text check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  add column phone_kind text check (phone_kind in ('SMS', 'VOICE')),
  add constraint notification_targets_phone unique (organization_id, phone, phone_kind),
  add constraint notification_targets_phone_kind check ((phone is null) = (phone_kind is null)),
  drop constraint notification_targets_destination,
  add constraint notification_targets_destination
    check (num_nonnulls(email, webhook_id, push_id, phone) = 1);
