-- What services report about telephones: replies, keys and receipts.

alter table phone_channels
  -- The names of the fields with the number and the text; null where no replies are reported.
  add column replies json,
  -- The field with the status of a message, and what its values mean; null without receipts.
  add column receipts json,
  add column signature text not null default 'NONE' check (signature in ('NONE', 'TWILIO'));

alter table phone_channels alter column signature drop default;

-- The codes by which somebody answers a page from a telephone. A code is one page to a number, and is
-- free again when the page ends.
create table page_reply_codes (
  organization_id uuid not null,
  phone text not null,
  code text not null check (code ~ '^[0-9]{4}$'),
  page_id uuid not null,
  -- Who was paged at this number last.
  user_id uuid not null,
  created_at timestamptz not null,
  primary key (organization_id, phone, code),
  unique (organization_id, page_id, phone),
  foreign key (organization_id, page_id) references pages (organization_id, id) on delete cascade
);

-- A reply is looked up by the number that it comes from.
create index contact_methods_of_address on contact_methods (organization_id, address)
  where address is not null;

alter table deliveries
  -- What the network reported about an attempt; the first report counts.
  add column receipt text check (receipt in ('DELIVERED', 'FAILED')),
  add column receipt_attempt integer,
  add column receipt_at timestamptz,
  add constraint deliveries_receipt
    check (num_nulls(receipt, receipt_attempt, receipt_at) in (0, 3));
