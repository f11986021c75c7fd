import { describe, expect, it } from 'vitest';
import { publishCommands } from './commands.ts';

const given = {
  host: 'plant.local',
  origin: 'http://plant.local:8080',
  organizationId: 'o',
  deviceId: 'd',
  topic: 'fieldwatch/o/d',
  password: 'secret',
  mqtt: { port: 1883, isEncrypted: false },
};

describe('the commands that publish', () => {
  it('name host, credentials and topic', () => {
    const { mqtt, http } = publishCommands(given);
    expect(mqtt).toMatch(
      /^mosquitto_pub -h plant\.local -u d -P 'secret' -q 1 \\\n {2}-t 'fieldwatch\/o\/d' /,
    );
    expect(http).toContain("curl -u 'd:secret'");
    expect(http).toContain("'http://plant.local:8080/data/v1/organizations/o/devices/d'");
  });

  it('name the port where it is not the usual one, and ask for TLS where it is spoken', () => {
    const unusual = { ...given, mqtt: { port: 18_883, isEncrypted: true } };
    expect(publishCommands(unusual).mqtt).toContain(
      '-h plant.local -p 18883 --tls-use-os-certs -u d',
    );
    expect(publishCommands({ ...given, mqtt: null }).mqtt).not.toContain('-p ');
  });

  it('have a word in place of a password that is not known', () => {
    expect(publishCommands({ ...given, password: null }).http).toContain("'d:PASSWORD'");
  });
});
