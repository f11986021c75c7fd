-- How long a Device counts as online after it was heard of; null means as long as the server says.
alter table devices
  add column online_minutes integer check (online_minutes between 1 and 10080);
