import { operations } from '@fieldwatch/contract';
import type { Answered, Call } from './call.ts';
import type { TestOrganization } from './server.ts';

export type Fields = Record<string, unknown>;

type AnyOperation = (typeof operations)[keyof typeof operations];

/** What the stories about Dashboards do, as the first administrator. */
export interface DashboardCalls {
  create(body?: Fields): Promise<Answered>;
  /** The record of a new Dashboard. */
  made(body?: Fields): Promise<Answered['body']>;
  update(id: string, body: Fields): Promise<Answered>;
  retrieve(id: string): Promise<Answered>;
  publish(id: string, comment?: string): Promise<Answered>;
  /** Any operation on one Dashboard. */
  on(operation: AnyOperation, id: string, given?: Call): Promise<Answered>;
}

export function dashboardCalls(server: TestOrganization): DashboardCalls {
  const auth = server.administrator;
  const on: DashboardCalls['on'] = (operation, id, given = {}) =>
    server.call(operation, { auth, ...given, params: { dashboardId: id, ...given.params } });
  const create = (body: Fields = {}) =>
    server.call(operations.createDashboard, { auth, body: { name: 'Dashboard', ...body } });
  return {
    on,
    create,
    made: async (body) => (await create(body)).body,
    update: (id, body) => on(operations.updateDashboard, id, { body }),
    retrieve: (id) => on(operations.retrieveDashboard, id),
    publish: (id, comment = 'Ready') => on(operations.publishDashboard, id, { body: { comment } }),
  };
}

export const widget = (fields: Fields = {}): Fields => ({
  id: 'a',
  type: 'TEXT',
  x: 0,
  y: 0,
  w: 4,
  h: 2,
  ...fields,
});

export const showing = (...widgets: Fields[]) => ({ configuration: { version: 1, widgets } });

/** The bad fields of a refusal, a sentence each. */
export const errorsOf = ({ body }: Answered): string[] =>
  (body.errors ?? []).map(
    ({ path, message }: { path: string; message: string }) => `${path} ${message}`,
  );
