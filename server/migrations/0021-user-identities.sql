-- Which account of an identity provider a user is. Both are bound to each other by the first sign-in:
-- the issuer may give an email address to somebody else later, a subject never.
create table user_identities (
  issuer text not null,
  subject text not null check (char_length(subject) between 1 and 255),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject),
  unique (user_id, issuer)
);
