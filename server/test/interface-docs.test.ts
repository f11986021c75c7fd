import { readFileSync } from 'node:fs';
import * as contract from '@fieldwatch/contract';
import { type Access, type Operation, operations } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';

const page = readFileSync(new URL('../../docs/interface.md', import.meta.url), 'utf8');

/** The cells of each row of the first table below a heading, its own first row included. */
function rowsBelow(heading: string): string[][] {
  const [, section = ''] = page.split(`\n${heading}\n`);
  const [, table = ''] = /^(\| [\s\S]*?\|)\n\n/m.exec(section) ?? [];
  return table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function whoMayCall(access: Access): string {
  switch (access.kind) {
    case 'anyone':
      return 'anyone';
    case 'share':
      return 'a share link';
    case 'credential':
      return 'any credentials';
    case 'permission':
      return `\`${access.permission}\``;
    case 'user':
      return access.permission === null ? 'a user' : `a user with \`${access.permission}\``;
  }
}

const [, ...documented] = rowsBelow('## All operations');
const all: readonly Operation[] = Object.values(operations);

describe('the operations in docs/interface.md', () => {
  it('are those of the contract, each once, and no other', () => {
    expect(documented.map(([id]) => id)).toEqual(all.map(({ id }) => `\`${id}\``));
  });

  it.each(all)('say of $id what the contract says', ({ id, method, path, access, reply }) => {
    expect(documented.find(([cell]) => cell === `\`${id}\``)).toEqual([
      `\`${id}\``,
      `\`${method} ${path}\``,
      whoMayCall(access),
      String(reply.status),
    ]);
  });
});

/** The heading of each record, and the schema that it describes. */
const RECORDS = {
  Device: contract.Device,
  Variable: contract.Variable,
  'Variable folder': contract.VariableFolder,
  Classification: contract.Classification,
  Alarm: contract.Alarm,
  'Alarm event': contract.AlarmEvent,
  'Alarm group': contract.AlarmGroup,
  'Maintenance window': contract.MaintenanceWindow,
  'Escalation policy': contract.EscalationPolicy,
  Heartbeat: contract.Heartbeat,
  Webhook: contract.Webhook,
  Codec: contract.Codec,
  'LoRaWAN network': contract.LorawanNetwork,
  'LoRaWAN device': contract.LorawanDevice,
  Delivery: contract.Delivery,
  Asset: contract.Asset,
  Location: contract.Location,
  Dashboard: contract.Dashboard,
  'Published version': contract.DashboardVersion,
  'Share link': contract.ShareLink,
  Organization: contract.Organization,
  User: contract.User,
  'API key': contract.ApiKey,
  'Audit entry': contract.AuditEntry,
};

describe.each(Object.entries(RECORDS))('the record %s in docs/interface.md', (name, schema) => {
  it('has a row for each of its fields, and for no other', () => {
    const rows = rowsBelow(`### ${name}`);
    expect(rows[0]?.[0]).toBe('Field');
    expect(
      rows
        .slice(1)
        .map(([field]) => field)
        .sort(),
    ).toEqual(
      Object.keys(schema.properties)
        .map((field) => `\`${field}\``)
        .sort(),
    );
  });
});

describe('the permissions in docs/interface.md', () => {
  it('are those of the contract, and no other', () => {
    const [, ...rows] = rowsBelow('### Permissions');
    const named = rows.map(([permission]) => permission).sort();
    expect(named).toEqual(contract.PERMISSIONS.map((each) => `\`${each}\``).sort());
  });
});
