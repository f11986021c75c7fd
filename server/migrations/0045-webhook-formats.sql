-- Webhooks in the formats of chat services and pagers, with the credential that some of them need.

alter table webhooks
  add column format text not null default 'STANDARD'
    check (format in ('STANDARD', 'CLOUDEVENTS', 'SLACK', 'TEAMS', 'DISCORD', 'TELEGRAM', 'NTFY',
      'PUSHOVER', 'PAGERDUTY', 'ALERTMANAGER', 'TEMPLATE')),
  add column destination text check (char_length(destination) between 1 and 200),
  -- Encrypted with a key that is not in this database.
  add column encrypted_credential bytea,
  add column template json,
  -- When an Alertmanager was last sent the open events, which it forgets otherwise.
  add column refreshed_at timestamptz,
  add constraint webhooks_template check ((format = 'TEMPLATE') = (template is not null));

create index webhooks_alertmanager on webhooks (refreshed_at) where format = 'ALERTMANAGER';

-- Of an Alertmanager, the events that it was sent.
create index deliveries_raised on deliveries (organization_id, target_id, event_id)
  where type = 'alarm.raised';
