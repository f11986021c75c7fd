import { operations, type VariableType } from '@fieldwatch/contract';
import type { Answered } from './call.ts';
import type { TestOrganization } from './server.ts';

type Fields = Record<string, unknown>;
type Headers = Record<string, string>;

/** A Variable with the Device that owns it, as an Alarm names the two. */
export interface Watched {
  readonly deviceId: string;
  readonly deviceVariableId: string;
}

/** What tests of Alarms do again and again, in the organization of one server. */
export interface AlarmBench {
  newDevice(fields?: Fields): Promise<string>;
  newVariable(type: VariableType, deviceId?: string): Promise<Watched>;
  newGroup(): Promise<string>;
  create(fields: Fields): Promise<Answered>;
  update(alarmId: string, fields: Fields, headers?: Headers): Promise<Answered>;
  retrieve(alarmId: string): Promise<Answered>;
  archive(alarmId: string, headers?: Headers): Promise<Answered>;
  restore(alarmId: string, headers?: Headers): Promise<Answered>;
  search(body?: unknown): Promise<Answered>;
}

export function alarmBench(server: () => TestOrganization): AlarmBench {
  let variables = 0;
  const call: TestOrganization['call'] = (operation, given) => server().call(operation, given);

  async function newDevice(fields: Fields = {}): Promise<string> {
    const body = { type: 'CUSTOM_DEVICE', name: 'Device', ...fields };
    return (await call(operations.createDevice, { body })).body.id;
  }

  return {
    newDevice,
    async newVariable(type, given) {
      variables += 1;
      const deviceId = given ?? (await newDevice());
      const { body } = await call(operations.createVariable, {
        params: { deviceId },
        body: {
          name: 'Variable',
          topicPropertyPath: `path.${variables}`,
          type,
          isLoggingEnabled: true,
        },
      });
      return { deviceId, deviceVariableId: body.id };
    },
    async newGroup() {
      return (await call(operations.createAlarmGroup, { body: { name: 'Group' } })).body.id;
    },
    create: (fields) =>
      call(operations.createAlarm, {
        body: { name: 'Alarm', isActive: true, operator: 'EQUAL', alarmGroupId: null, ...fields },
      }),
    update: (alarmId, body, headers = {}) =>
      call(operations.updateAlarm, { params: { alarmId }, body, headers }),
    retrieve: (alarmId) => call(operations.retrieveAlarm, { params: { alarmId } }),
    archive: (alarmId, headers = {}) =>
      call(operations.archiveAlarm, { params: { alarmId }, headers }),
    restore: (alarmId, headers = {}) =>
      call(operations.restoreAlarm, { params: { alarmId }, headers }),
    search: (body) => call(operations.searchAlarms, { body }),
  };
}

/** The refused fields with their messages. */
export function errorsOf({ body }: Answered): string[] {
  const errors: { path: string; message: string }[] = body.errors ?? [];
  return errors.map(({ path, message }) => `${path} ${message}`);
}
