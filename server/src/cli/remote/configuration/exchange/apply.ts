import { createHash } from 'node:crypto';
import { FieldwatchError } from '@fieldwatch/client';
import { createBody } from '../files/index.ts';
import {
  deviceKeyOf,
  FIELDS,
  type Fields,
  isObject,
  isSame,
  type Json,
  type JsonObject,
  MANAGED,
  nameOf,
  ONLINE_KEY,
  type Reference,
  type Resolve,
  toApi,
  toFields,
} from '../model/index.ts';
import type { ActualRecord, Create, Delete, Plan, Step, Update } from '../plan/index.ts';
import type { ActualState } from './actual.ts';
import { CALLS, type Call, forEachOf } from './calls.ts';
import { readOne } from './read.ts';

/** Secrets that only the reply to a creation has. */
export interface Credentials extends Reference {
  readonly secrets: JsonObject;
}

export interface ApplyListener {
  /** Called after each step, and before the next one may begin. */
  readonly onStep: (step: Step) => void;
  readonly onCredentials: (credentials: Credentials) => void;
  readonly signal: AbortSignal;
}

/** The record is not what the plan was made from. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
}

/** A step that failed. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
  readonly step: Step;

  constructor(step: Step, cause: unknown) {
    super(nameOf(step), { cause });
    this.step = step;
  }
}

const KEYS_PER_CALL = 500;
const BINDINGS_PER_CALL = 500;
/** Answers of earlier runs to the same request whose record is deleted by now. */
const MAX_STALE_REPLIES = 10;
const PAGING_FIELDS = ['escalationPolicy', 'reminderMinutes'];
const PUBLISH_COMMENT = 'Published by fieldwatch apply';

/** Does what a plan says. Each step can be repeated, so that a run goes on where another ended. */
export async function applyPlan(
  call: Call,
  state: ActualState,
  plan: Plan,
  listener: ApplyListener,
): Promise<void> {
  const run = new Run(call, state, listener);
  await run.storeKeys(plan.adopted);
  for (const stage of plan.stages.filter(([step]) => step?.action !== 'delete')) {
    await run.stage(stage);
  }
  await run.connectDashboards();
  await run.connectPolicies();
  for (const stage of plan.stages.filter(([step]) => step?.action === 'delete')) {
    await run.stage(stage);
  }
}

class Run {
  readonly #call: Call;
  readonly #state: ActualState;
  readonly #listener: ApplyListener;
  readonly #createdIds = new Map<string, string>();
  /** Assets whose Dashboard did not exist yet, by their ids. */
  readonly #waiting = new Map<string, string>();
  /** Alarm groups whose escalation policy is set once all of those exist, by their ids. */
  readonly #paged = new Map<string, Fields>();

  constructor(call: Call, state: ActualState, listener: ApplyListener) {
    this.#call = call;
    this.#state = state;
    this.#listener = listener;
  }

  #idOf: Resolve = (kind, key, path) =>
    this.#createdIds.get(nameOf({ kind, key })) ?? this.#state.idOf(kind, key, path);

  async storeKeys(records: readonly ActualRecord[]): Promise<void> {
    for (let from = 0; from < records.length; from += KEYS_PER_CALL) {
      const items = records.slice(from, from + KEYS_PER_CALL).map(({ kind, key, id }) => ({
        kind: MANAGED[kind],
        key,
        resourceId: id,
      }));
      await this.#call('updateManagedResources', { body: { items } });
    }
  }

  stage(steps: readonly Step[]): Promise<void> {
    return forEachOf(steps, async (step) => {
      this.#listener.signal.throwIfAborted();
      try {
        await this.#do(step);
      } catch (error) {
        throw new StepFailure(step, error);
      }
      this.#listener.onStep(step);
    });
  }

  #do(step: Step): Promise<void> {
    if (step.action === 'create') return this.#create(step);
    return step.action === 'update' ? this.#update(step) : this.#delete(step);
  }

  async #create(step: Create): Promise<void> {
    const { kind, key, fields } = step;
    const body = this.#withDevice(step, createBody(kind, fields, this.#idOf));
    const created = await this.#createOnce(step, body);
    const id = String(created.id);
    this.#createdIds.set(nameOf(step), id);
    if (kind === 'devices') {
      const online = { kind: 'variables', key: `${key}/${ONLINE_KEY}` } as const;
      this.#createdIds.set(nameOf(online), String(created.onlineVariableId));
    }
    const { credentials, secret } = created;
    if (isObject(credentials)) this.#listener.onCredentials({ kind, key, secrets: credentials });
    if (secret !== undefined) this.#listener.onCredentials({ kind, key, secrets: { secret } });
    if (kind === 'devices' && fields.isActive === false) {
      await this.#call('updateDevice', {
        deviceId: id,
        body: { type: fields.type, isActive: false },
      });
    }
    await this.#setSeparateFields(step, id, {}, fields);
  }

  /**
   * The same request gets the same reply within a day, so that an interrupted run creates nothing
   * twice. Where the record of that reply is deleted by now, the request is a new one.
   */
  async #createOnce(step: Create, body: JsonObject): Promise<JsonObject> {
    const { kind, key } = step;
    const deviceId = kind === 'variables' ? this.#deviceIdOf(key) : undefined;
    const text = JSON.stringify([kind, key, deviceId ?? null, body]);
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 40);
    for (let attempt = 1; ; attempt += 1) {
      const input = deviceId === undefined ? { body } : { deviceId, body };
      const idempotencyKey = `fieldwatch-apply-${hash}-${attempt}`;
      const reply = await this.#call(CALLS[kind].create, input, { idempotencyKey });
      const created = isObject(reply.body) ? reply.body : {};
      try {
        const item = { kind: MANAGED[kind], key, resourceId: created.id };
        await this.#call('updateManagedResources', { body: { items: [item] } });
        return created;
      } catch (error) {
        if (!isUnknownRecord(error) || attempt === MAX_STALE_REPLIES) throw error;
      }
    }
  }

  #deviceIdOf(variableKey: string): string {
    return this.#idOf('devices', deviceKeyOf(variableKey), '') ?? '';
  }

  /** An Alarm names the Device of its Variable, too; an Asset is connected to its Dashboard later. */
  #withDevice({ kind, fields }: Pick<Create, 'kind' | 'fields'>, body: JsonObject): JsonObject {
    if (kind !== 'alarms' || body.deviceVariableId === undefined) return body;
    return { ...body, deviceId: this.#deviceIdOf(String(fields.variable)) };
  }

  async #update(step: Update): Promise<void> {
    const { kind, actual, desired, changes } = step;
    const { idName, restore, update } = CALLS[kind];
    const input = { [idName]: actual.id };
    if (actual.isArchived && restore) await this.#call(restore, input);
    const { found, etag } = await readOne(this.#call, actual);
    if (!isSame(toFields(kind, found.record, this.#state.keyOf), actual.fields)) {
      throw new ChangedMeanwhile();
    }
    const names = changes.map(({ field }) => field);
    const body = this.#patchOf(desired.fields, step, names);
    if (Object.keys(body).length > 0) {
      await this.#call(update, { ...input, body }, etag === null ? {} : { ifMatch: etag });
    }
    await this.#setSeparateFields(step, actual.id, actual.fields, desired.fields);
  }

  /** The changed fields, those with their default included. */
  #patchOf(fields: Fields, step: Update, names: readonly string[]): JsonObject {
    const { kind } = step;
    const specs = Object.entries(FIELDS[kind]).filter(
      ([name, { isSeparate }]) => names.includes(name) && (!isSeparate || name === 'isActive'),
    );
    const defaults = Object.fromEntries(specs.map(([name, spec]) => [name, spec.default ?? null]));
    const all = toApi(kind, { ...defaults, ...fields }, this.#idOf);
    const body: Record<string, Json> = {};
    for (const [, { api }] of specs) body[api] = all[api] ?? null;
    if (specs.length === 0) return body;
    if (kind === 'devices') return { ...body, type: fields.type ?? null, ...subBandOf(body) };
    return this.#withDevice({ kind, fields }, body);
  }

  /** Fields that have operations of their own. */
  async #setSeparateFields(
    step: Create | Update,
    id: string,
    from: Fields,
    to: Fields,
  ): Promise<void> {
    const isChanged = (name: string) => !isSame(from[name], to[name]);
    if (step.kind === 'devices' && isChanged('onlineMinutes')) {
      const body = { onlineMinutes: to.onlineMinutes ?? null };
      await this.#call('updateOnlineWindow', { deviceId: id, body });
    }
    if (step.kind === 'alarmGroups' && PAGING_FIELDS.some(isChanged)) this.#paged.set(id, to);
    if (step.kind === 'assets') {
      if (typeof to.dashboard === 'string' && isChanged('dashboard')) {
        if (this.#idOf('dashboards', to.dashboard, '') === undefined) {
          this.#waiting.set(id, to.dashboard);
        }
      }
      await this.#bind(id, 'CONNECT', without(to.variables, from.variables));
      await this.#bind(id, 'DISCONNECT', without(from.variables, to.variables));
    }
    if (step.kind === 'dashboards' && to.isPublished === true) {
      if (!isChanged('isPublished') && !isChanged('configuration')) return;
      const body = { comment: PUBLISH_COMMENT };
      await this.#call('publishDashboard', { dashboardId: id, body });
    }
  }

  async #bind(assetId: string, action: string, keys: readonly string[]): Promise<void> {
    const ids = keys.flatMap((key) => this.#idOf('variables', key, '') ?? []);
    for (let at = 0; at < ids.length; at += BINDINGS_PER_CALL) {
      const body = { variableIds: ids.slice(at, at + BINDINGS_PER_CALL), action };
      await this.#call('bindVariables', { assetId, body });
    }
  }

  /** A Dashboard may show the Asset that refers to it, so the Asset is created first. */
  async connectDashboards(): Promise<void> {
    for (const [assetId, key] of this.#waiting) {
      const dashboardId = this.#idOf('dashboards', key, '') ?? null;
      await this.#call('updateAsset', { assetId, body: { dashboardId } });
    }
  }

  /** A step of a policy may name the alarm group that refers to it, so the group is created first. */
  async connectPolicies(): Promise<void> {
    for (const [alarmGroupId, { escalationPolicy, reminderMinutes = null }] of this.#paged) {
      const key = typeof escalationPolicy === 'string' ? escalationPolicy : null;
      const escalationPolicyId = key && (this.#idOf('escalationPolicies', key, '') ?? null);
      const body = { escalationPolicyId, reminderMinutes };
      await this.#call('updateAlarmGroup', { alarmGroupId, body });
    }
  }

  async #delete({ kind, key, actual }: Delete): Promise<void> {
    const { idName, remove } = CALLS[kind];
    const { etag } = await readOne(this.#call, actual);
    const device = kind === 'variables' ? { deviceId: this.#deviceIdOf(key) } : {};
    const options = etag === null ? {} : { ifMatch: etag };
    await this.#call(remove, { [idName]: actual.id, ...device }, options);
  }
}

function isUnknownRecord(error: unknown): boolean {
  return (
    error instanceof FieldwatchError &&
    error.status === 400 &&
    error.errors.some(({ path }) => path === 'items[0].resourceId')
  );
}

/** A gateway without a sub-band has null there, which removes one. */
function subBandOf({ configuration }: JsonObject): JsonObject {
  if (!isObject(configuration) || !('gatewayEui' in configuration)) return {};
  return { configuration: { subBand: null, ...configuration } };
}

function without(all: Json | undefined, other: Json | undefined): string[] {
  const excluded = new Set(Array.isArray(other) ? other : []);
  return (Array.isArray(all) ? all : []).filter((each) => !excluded.has(each)).map(String);
}
