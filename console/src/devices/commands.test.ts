import { describe, expect, it } from 'vitest';
import { publishCommands } from './commands.ts';

const target = {
  host: 'plant.local',
  origin: 'http://plant.local:8080',
  organizationId: 'o',
  deviceId: 'd',
  topic: 'fieldwatch/o/d',
  password: 'secret',
  mqtt: { port: 1883, isEncrypted: false },
};

describe('publishCommands', () => {
  it('contain host, credentials and topic', () => {
    const { mqtt, http } = publishCommands(target);
    expect(mqtt).toMatch(
      /^mosquitto_pub -h plant\.local -u d -P 'secret' -q 1 \\\n {2}-t 'fieldwatch\/o\/d' /,
    );
    expect(http).toContain("curl -u 'd:secret'");
    expect(http).toContain("'http://plant.local:8080/data/v1/organizations/o/devices/d'");
  });

  it('contain a non-default port, and the TLS option for an encrypted listener', () => {
    const unusual = { ...target, mqtt: { port: 18_883, isEncrypted: true } };
    expect(publishCommands(unusual).mqtt).toContain(
      '-h plant.local -p 18883 --tls-use-os-certs -u d',
    );
    expect(publishCommands({ ...target, mqtt: null }).mqtt).not.toContain('-p ');
  });

  it('contain a placeholder for an unknown password', () => {
    expect(publishCommands({ ...target, password: null }).http).toContain("'d:PASSWORD'");
  });
});
