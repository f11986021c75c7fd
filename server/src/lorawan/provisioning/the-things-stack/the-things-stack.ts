import { shownAnswer } from '../../shown-answer.ts';
import {
  type Fields,
  type HttpAnswer,
  isDone,
  messageOf,
  parsed,
  send,
} from '../../the-things-stack/index.ts';
import {
  ProvisioningError,
  type Registrar,
  type RegistrarDeps,
  type Registration,
  refusedToken,
  registeredElsewhere,
} from '../registrar.ts';
import { createGatewayCalls } from './gateways.ts';

export interface TheThingsStackDeps extends RegistrarDeps {
  readonly frequencyPlanId: string;
  readonly macVersion: string;
  readonly phyVersion: string;
}

const IDS = ['ids.device_id', 'ids.dev_eui', 'ids.join_eui'];
const SERVERS = ['network_server_address', 'application_server_address'];
const MAX_NAME_LENGTH = 50;
/** The servers that have a part of a sensor, in the order in which it is registered. */
const REGISTRIES = ['', 'js/', 'ns/', 'as/'] as const;

/** The id of a sensor at The Things Stack, as its console makes it. */
const deviceIdOf = (devEui: string) => `eui-${devEui.toLowerCase()}`;

/** The Things Stack v3: a sensor is registered at four servers, each by a call of its own. */
export function createTheThingsStackRegistrar(deps: TheThingsStackDeps): Registrar {
  const application = encodeURIComponent(deps.applicationId);
  const calls = new Calls(deps);

  const pathOf = (registry: string, devEui: string) =>
    `${registry}applications/${application}/devices/${deviceIdOf(devEui)}`;

  async function put(
    registry: string,
    sensor: Registration,
    { paths, ...device }: Fields & { readonly paths: readonly string[] },
  ): Promise<HttpAnswer> {
    const end_device = { ids: idsOf(sensor, deps.applicationId), ...device };
    const body = { end_device, field_mask: { paths } };
    return await calls.send('PUT', pathOf(registry, sensor.devEui), body);
  }

  /** True where the sensor was registered before, in the same application. */
  async function identify(sensor: Registration): Promise<boolean> {
    const { paths, ...device } = identityOf(sensor, deps.url);
    const end_device = { ids: idsOf(sensor, deps.applicationId), ...device };
    const body = { end_device, field_mask: { paths } };
    const created = await calls.send('POST', `applications/${application}/devices`, body);
    if (created.status !== 409) {
      calls.requireDone(created, sensor);
      return false;
    }
    const found = await calls.send('GET', `${pathOf('', sensor.devEui)}?field_mask=ids`);
    if (found.status === 404)
      throw registeredElsewhere('sensor', 'elsewhere', calls.messageOf(created, sensor));
    calls.requireDone(found, sensor);
    if (sensor.hasNewFields) {
      const named = { name: device.name, paths: ['name'] };
      calls.requireDone(await put('', sensor, named), sensor);
    }
    return true;
  }

  async function writeKeys(sensor: Registration, isKnown: boolean): Promise<void> {
    if (isKnown && !sensor.hasNewKeys) {
      const path = `${pathOf('js/', sensor.devEui)}?field_mask=ids`;
      const found = await calls.send('GET', path);
      if (found.status !== 404) {
        calls.requireDone(found, sensor);
        return;
      }
    }
    calls.requireDone(await put('js/', sensor, keysOf(sensor, deps.url)), sensor);
  }

  return {
    ...createGatewayCalls(deps),
    async register(sensor) {
      await writeKeys(sensor, await identify(sensor));
      const radio = await put('ns/', sensor, radioOf(deps));
      if (radio.status === 400) throw await planError(calls, deps, calls.messageOf(radio, sensor));
      calls.requireDone(radio, sensor);
      calls.requireDone(await put('as/', sensor, { paths: IDS }), sensor);
    },
    async remove(devEui) {
      for (const registry of REGISTRIES.toReversed()) {
        const deleted = await calls.send('DELETE', pathOf(registry, devEui));
        if (deleted.status !== 404) calls.requireDone(deleted, null);
      }
    },
  };
}

class Calls {
  readonly #deps: RegistrarDeps;

  constructor(deps: RegistrarDeps) {
    this.#deps = deps;
  }

  async send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<HttpAnswer> {
    return await send(this.#deps, method, path, body);
  }

  requireDone(answer: HttpAnswer, sensor: Registration | null): void {
    const { status } = answer;
    if (isDone(status)) return;
    if (status === 401 || status === 403) throw refusedToken();
    const isFinal = status < 500 && status !== 429 && status !== 408;
    const what = isFinal ? 'refused the sensor' : 'failed';
    const text = this.messageOf(answer, sensor);
    throw new ProvisioningError(`The network server ${what} (${status}): ${text}`, isFinal);
  }

  messageOf(answer: HttpAnswer, sensor: Registration | null): string {
    return messageOf(answer, sensor ? [this.#deps.token, sensor.appKey] : [this.#deps.token]);
  }
}

function idsOf({ devEui, joinEui }: Registration, application_id: string) {
  return {
    device_id: deviceIdOf(devEui),
    dev_eui: devEui,
    join_eui: joinEui,
    application_ids: { application_id },
  };
}

function addressesOf(url: string) {
  const { hostname } = new URL(url);
  return { network_server_address: hostname, application_server_address: hostname };
}

function identityOf({ name }: Registration, url: string) {
  return {
    name: name.slice(0, MAX_NAME_LENGTH),
    join_server_address: new URL(url).hostname,
    ...addressesOf(url),
    paths: [...IDS, 'name', 'join_server_address', ...SERVERS],
  };
}

function keysOf({ appKey }: Registration, url: string) {
  return {
    ...addressesOf(url),
    root_keys: { app_key: { key: appKey } },
    paths: [...IDS, ...SERVERS, 'root_keys.app_key.key'],
  };
}

function radioOf({ macVersion, phyVersion, frequencyPlanId }: TheThingsStackDeps) {
  return {
    lorawan_version: macVersion,
    lorawan_phy_version: phyVersion,
    frequency_plan_id: frequencyPlanId,
    supports_join: true,
    paths: [
      ...IDS,
      ...['lorawan_version', 'lorawan_phy_version', 'frequency_plan_id', 'supports_join'],
    ],
  };
}

/** Names the frequency plans of the server where the one of the network is none of them. */
async function planError(
  calls: Calls,
  { frequencyPlanId }: TheThingsStackDeps,
  message: string,
): Promise<ProvisioningError> {
  const answer = await calls.send('GET', 'configuration/frequency-plans');
  const { frequency_plans } = parsed(answer.text);
  const plans = Array.isArray(frequency_plans) ? frequency_plans : [];
  const ids = plans.map((plan) => String((Object(plan) as Fields).id));
  const refused = `The network server refused the sensor: ${message}`;
  if (!isDone(answer.status) || ids.length === 0 || ids.includes(frequencyPlanId)) {
    return new ProvisioningError(refused, true);
  }
  const known = shownAnswer(ids.join(', '), []);
  return new ProvisioningError(
    `The network server has no frequency plan ${frequencyPlanId}: choose one of ${known}.`,
    true,
  );
}
