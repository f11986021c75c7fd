-- Organizations, the people and keys that act in them, and the log of what they did.
-- Columns named *_folded hold what searches and comparisons look at: the text in lower case, folded
-- by the server so that every database locale compares alike.

create table organizations (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0)
);

create index organizations_newest on organizations (created_at desc, id desc);

create table users (
  id uuid primary key,
  email text not null check (char_length(email) between 3 and 254),
  email_folded text not null constraint users_email_unique unique,
  -- Null until an invitation is redeemed.
  password_hash text,
  last_sign_in_at timestamptz,
  created_at timestamptz not null
);

-- The name is how one organization calls a member, so that no organization can rename another's.
create table memberships (
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  role text not null check (role in ('ADMINISTRATOR', 'EDITOR', 'VIEWER')),
  name text check (char_length(name) between 1 and 100),
  name_folded text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  constraint memberships_pkey primary key (organization_id, user_id),
  check ((name is null) = (name_folded is null))
);

create index memberships_newest on memberships (organization_id, created_at desc, user_id desc);
create index memberships_by_role
  on memberships (organization_id, role, created_at desc, user_id desc);
create index memberships_by_user on memberships (user_id);

-- A session is a family of refresh tokens. Ending it deletes it.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check (expires_at > created_at)
);

create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

create table refresh_tokens (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  session_id uuid not null references sessions (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- A used one is kept, so that its second use is recognised.
  used_at timestamptz
);

create index refresh_tokens_by_session on refresh_tokens (session_id);
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);

-- Redeeming an invitation deletes it.
create table invitations (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  organization_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (organization_id, user_id)
    references memberships (organization_id, user_id) on delete cascade
);

create index invitations_by_member on invitations (organization_id, user_id);
create index invitations_by_expiry on invitations (expires_at);

-- Basic credentials name no organization, so a key's id is unique in the whole installation.
create table api_keys (
  id text constraint api_keys_pkey primary key
    check (char_length(id) between 1 and 100 and position(':' in id) = 0),
  organization_id uuid not null references organizations (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  name_folded text not null,
  secret_hash text not null,
  permissions text[] not null check (cardinality(permissions) <= 100),
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  unique (organization_id, id)
);

create index api_keys_newest on api_keys (organization_id, created_at desc, id desc);

create table audit_log (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  occurred_at timestamptz not null,
  actor_kind text not null check (actor_kind in ('USER', 'API_KEY', 'SYSTEM')),
  -- Plain text without a reference: the entry outlives whom and what it tells of.
  actor_id text,
  actor_name text not null,
  operation text not null,
  resource text not null,
  resource_id text not null,
  address text,
  request_id text,
  changes json not null,
  primary key (organization_id, id)
);

create index audit_log_newest on audit_log (organization_id, occurred_at desc, id desc);
create index audit_log_by_actor
  on audit_log (organization_id, actor_id, occurred_at desc, id desc);
create index audit_log_by_resource
  on audit_log (organization_id, resource, occurred_at desc, id desc);
create index audit_log_by_resource_id
  on audit_log (organization_id, resource_id, occurred_at desc, id desc);

-- The first answer to a request that carried an Idempotency-Key.
create table idempotency_keys (
  credential text not null,
  operation text not null,
  key text not null,
  request_hash bytea not null,
  status integer,
  location text,
  etag text,
  sealed_body bytea,
  created_at timestamptz not null default now(),
  primary key (credential, operation, key)
);

create index idempotency_keys_by_age on idempotency_keys (created_at);
