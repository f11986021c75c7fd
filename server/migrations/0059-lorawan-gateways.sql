-- Which gateways received a sensor within a day before its last uplink: while all of them are offline,
-- the sensor cannot be heard.

alter table lorawan_devices
  -- The ids at the network server, in upper case; the EUI, where it has one.
  add column gateways text[] not null default '{}';

create index lorawan_devices_gateways on lorawan_devices using gin (gateways);
