import { onlineVariableIdOf } from '../../presence/index.ts';
import {
  availabilityOf,
  type DiscoveryOptions,
  discoveryMessage,
  type Platform,
  type PublishedDevice,
  platformOf,
  platformOfState,
  stateOf,
} from '../discovery/index.ts';
import type { Message } from './broker.ts';
import type { DeviceRow, VariableRow } from './store.ts';

export type Value = number | boolean | string;

/** A topic that follows a Variable. */
interface Entity {
  readonly topic: string;
  readonly isAvailability: boolean;
  at: number;
  payload: string | null;
  /** What the broker has; null when that is not known. */
  sent: string | null;
}

interface Config {
  readonly payload: string;
  readonly device: PublishedDevice;
}

/** What Home Assistant is to know, and what of it the broker has. */
export class Entities {
  readonly #options: DiscoveryOptions;
  /** By Device: its discovery message, as the broker has it. */
  readonly #configs = new Map<string, Config>();
  /** By Variable. */
  readonly #entities = new Map<string, Entity>();
  readonly #topics = new Set<string>();
  /** Variables with a value that the broker does not have. */
  readonly #changed = new Set<string>();

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  get deviceCount(): number {
    return this.#configs.size;
  }

  hasVariable(variableId: string): boolean {
    return this.#entities.has(variableId);
  }

  /** A newer value of a Variable. Costs one look-up when it is not published. */
  put(variableId: string, value: Value, at: number): void {
    const entity = this.#entities.get(variableId);
    if (!entity || entity.at > at) return;
    entity.at = at;
    entity.payload = entity.isAvailability ? availabilityOf(value === true) : stateOf(value);
    if (entity.payload !== entity.sent) this.#changed.add(variableId);
  }

  /** The messages by which the broker has these Devices, and no others. */
  replace(devices: readonly DeviceRow[], variables: readonly VariableRow[]): Message[] {
    const { topics } = this.#options;
    const byDevice = grouped(variables);
    const configs: Message[] = [];
    const kept = new Set<string>();
    for (const { isOnline, ...row } of devices) {
      const device = { ...row, variables: byDevice.get(row.id) ?? [] };
      configs.push(...this.#configure(device));
      const onlineId = onlineVariableIdOf(device.id);
      this.#add(onlineId, topics.availability(device.id), true);
      // A flip that was announced is newer than what is stored.
      this.put(onlineId, isOnline, 0);
      kept.add(onlineId);
      for (const { id } of device.variables) {
        this.#add(id, topics.state(device.id, id), false);
        kept.add(id);
      }
    }
    const current = new Set(devices.map(({ id }) => id));
    return [...configs, ...this.#removeDevices(current), ...this.#removeEntities(kept)];
  }

  /** The messages that remove a topic which the broker has kept and which is published no more. */
  leftOver(topic: string, state: string): Message[] {
    const { topics } = this.#options;
    const owner = topics.ownerOf(topic);
    if (!owner || this.#topics.has(topic)) return [];
    const { deviceId, variableId } = owner;
    const config = this.#configs.get(deviceId);
    const cleared = { topic, payload: '' };
    if (!config) return [{ topic: topics.config(deviceId), payload: '' }, cleared];
    if (variableId === null) return [cleared];
    const removed = new Map([[variableId, platformOfState(state)]]);
    return [...this.#configMessages(config, removed), cleared];
  }

  /** All messages of what is published, for a Home Assistant that has started. */
  again(): Message[] {
    const { topics } = this.#options;
    for (const [id, entity] of this.#entities) {
      entity.sent = null;
      if (entity.payload !== null) this.#changed.add(id);
    }
    return [...this.#configs].map(([id, { payload }]) => ({ topic: topics.config(id), payload }));
  }

  /** Removes and returns the states that the broker does not have. */
  takeChanged(): Message[] {
    const messages: Message[] = [];
    for (const id of this.#changed) {
      const entity = this.#entities.get(id);
      if (!entity || entity.payload === null || entity.payload === entity.sent) continue;
      entity.sent = entity.payload;
      messages.push({ topic: entity.topic, payload: entity.payload });
    }
    this.#changed.clear();
    return messages;
  }

  /** The messages by which the broker removes everything. */
  clear(): Message[] {
    return this.replace([], []);
  }

  #configure(device: PublishedDevice): Message[] {
    const payload = discoveryMessage(device, this.#options);
    const before = this.#configs.get(device.id);
    if (before?.payload === payload) return [];
    const config = { payload, device };
    this.#configs.set(device.id, config);
    const ids = new Set(device.variables.map(({ id }) => id));
    const gone = before?.device.variables.filter(({ id }) => !ids.has(id)) ?? [];
    const removed = new Map(gone.map(({ id, type }) => [id, platformOf(type)]));
    return this.#configMessages(config, removed);
  }

  #configMessages({ payload, device }: Config, removed: ReadonlyMap<string, Platform>): Message[] {
    const topic = this.#options.topics.config(device.id);
    const removal = { topic, payload: discoveryMessage(device, this.#options, removed) };
    return [...(removed.size === 0 ? [] : [removal]), { topic, payload }];
  }

  #add(variableId: string, topic: string, isAvailability: boolean): void {
    if (this.#entities.has(variableId)) return;
    const entity = { topic, isAvailability, at: 0, payload: null, sent: null };
    this.#entities.set(variableId, entity);
    this.#topics.add(topic);
  }

  #removeDevices(current: ReadonlySet<string>): Message[] {
    const gone = [...this.#configs.keys()].filter((id) => !current.has(id));
    for (const id of gone) this.#configs.delete(id);
    return gone.map((id) => ({ topic: this.#options.topics.config(id), payload: '' }));
  }

  #removeEntities(kept: ReadonlySet<string>): Message[] {
    const messages: Message[] = [];
    for (const [id, { topic }] of this.#entities) {
      if (kept.has(id)) continue;
      this.#entities.delete(id);
      this.#topics.delete(topic);
      messages.push({ topic, payload: '' });
    }
    return messages;
  }
}

function grouped(variables: readonly VariableRow[]): Map<string, VariableRow[]> {
  const groups = new Map<string, VariableRow[]>();
  for (const variable of variables) {
    const group = groups.get(variable.deviceId);
    if (group) group.push(variable);
    else groups.set(variable.deviceId, [variable]);
  }
  return groups;
}
