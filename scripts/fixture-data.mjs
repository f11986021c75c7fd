// The data of a fixture, and what the server that stored it answers. Everything goes through the
// interface, by operations that every version has.

export const settings = {
  FIELDWATCH_SECRET_KEY: 'the secret key of the fixtures, not of a server',
  FIELDWATCH_ORGANIZATION_ID: '018f0000-0000-7000-8000-0000000000f1',
  FIELDWATCH_ADMIN_EMAIL: 'admin@example.com',
  FIELDWATCH_ADMIN_PASSWORD: 'the password of a fixture',
  FIELDWATCH_API_KEY_ID: 'fixture',
  FIELDWATCH_API_KEY_SECRET: 'the secret of the key of a fixture',
  FIELDWATCH_REQUESTS_PER_MINUTE: '0',
  FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1',
};

const ORGANIZATION = `/primary/v1/${settings.FIELDWATCH_ORGANIZATION_ID}`;
const KEY = `Basic ${btoa(`${settings.FIELDWATCH_API_KEY_ID}:${settings.FIELDWATCH_API_KEY_SECRET}`)}`;
const EDITOR = { email: 'editor@example.com', password: 'the password of an editor' };
/** Nobody listens there: deliveries stay pending. */
const WEBHOOK_URL = 'http://127.0.0.1:9/hook';
const TWO_HOURS_MS = 2 * 3_600_000;

/** By count: more than 2 048 readings of a Variable have a chunk version of their own, so do more than 128. */
const VARIABLES = [
  {
    path: 'engine.speed',
    type: 'NUMBER',
    count: 2_100,
    value: (n) => 1_500 + ((n * 37) % 200) / 4,
  },
  { path: 'engine.running', type: 'BOOLEAN', count: 2_060, value: (n) => n % 700 > 80 },
  {
    path: 'engine.state',
    type: 'STRING',
    count: 2_060,
    value: (n) => ['AUTO', 'MANUAL'][n % 400 > 300 ? 1 : 0],
  },
  { path: 'tank.level', type: 'NUMBER', count: 300, value: (n) => 80 - n / 8 },
  {
    path: 'tank.odd',
    type: 'NUMBER',
    count: 9,
    value: (n) => [Math.PI, -1e-300, 1e300, 0.1, -7][n % 5],
  },
];

async function call(url, method, path, { body, auth = KEY } = {}) {
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: auth, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`);
  return text ? JSON.parse(text) : undefined;
}

const create = (url, path, body, auth) =>
  call(url, 'POST', `${ORGANIZATION}/${path}`, { body, auth });

async function write(url, deviceId, readings) {
  const path = `/data/v1/organizations/${settings.FIELDWATCH_ORGANIZATION_ID}/devices/${deviceId}`;
  const { accepted } = await call(url, 'POST', path, { body: { dataArray: readings } });
  if (accepted !== readings.length) throw new Error(`${accepted} of ${readings.length} accepted`);
}

const signIn = async (url, email, password) => {
  const { accessToken } = await call(url, 'POST', '/auth/v1/token', { body: { email, password } });
  return `Bearer ${accessToken}`;
};

const administrator = (url) =>
  signIn(url, settings.FIELDWATCH_ADMIN_EMAIL, settings.FIELDWATCH_ADMIN_PASSWORD);

async function createDevice(url, locationId) {
  const body = { type: 'CUSTOM_DEVICE', name: 'Generator 1', locationId };
  const device = await create(url, 'devices', body);
  const variables = [];
  for (const { path, type } of VARIABLES) {
    const named = { topicPropertyPath: path, type, name: path, isLoggingEnabled: true };
    variables.push(await create(url, `devices/${device.id}/variables`, named));
  }
  return { device, variables };
}

/** Two Alarms: one has been raised and cleared, the other is active. */
async function createAlarms(url, { device, variables, alarmGroupId }) {
  const shared = { isActive: true, deviceId: device.id, alarmGroupId, isAcknowledgeable: true };
  const [speed, , state] = variables;
  const overspeed = { name: 'Overspeed', operator: 'GREATER_THAN', thresholdValueNumber: 1_900 };
  const manual = { name: 'Not in automatic', operator: 'NOT_EQUAL', thresholdValueString: 'AUTO' };
  await create(url, 'alarms', { ...shared, ...overspeed, deviceVariableId: speed.id });
  await create(url, 'alarms', {
    ...shared,
    ...manual,
    deviceVariableId: state.id,
    severity: 'HIGH',
  });
}

/** Events of all times; waits until there are so many. */
async function eventsOf(url, count) {
  for (;;) {
    const body = { startTime: 0, endTime: Date.now() + TWO_HOURS_MS, take: 100 };
    const { items } = await create(url, 'alarm-history', body);
    if (items.length >= count) return items;
  }
}

/** Records of each kind, and readings that are old enough to be flushed. */
export async function createRecords(url) {
  const location = await create(url, 'locations', { name: 'Plant north' });
  const webhook = await create(url, 'webhooks', { name: 'Pager', url: WEBHOOK_URL });
  const subscriptions = [{ kind: 'WEBHOOK', webhookId: webhook.id, severities: [] }];
  const group = await create(url, 'alarm-groups', { name: 'On call', subscriptions });
  const { device, variables } = await createDevice(url, location.id);
  await createAlarms(url, { device, variables, alarmGroupId: group.id });
  await create(url, 'users', { ...EDITOR, role: 'EDITOR' });
  const startMs = Date.now() - TWO_HOURS_MS;
  const readings = VARIABLES.flatMap(({ path, count, value }) =>
    Array.from({ length: count }, (_, n) => ({
      key: path,
      value: value(n),
      timestamp: startMs + n * 1_000 + (n % 97 === 5 ? 3 : 0),
    })),
  );
  await write(url, device.id, readings);
  const at = (seconds) => startMs + (3_000 + seconds) * 1_000;
  await write(url, device.id, [{ key: 'engine.speed', value: 2_000, timestamp: at(0) }]);
  await write(url, device.id, [{ key: 'engine.speed', value: 1_500, timestamp: at(1) }]);
  await write(url, device.id, [{ key: 'engine.state', value: 'MANUAL', timestamp: at(2) }]);
  const events = await eventsOf(url, 2);
  const [cleared] = events.filter(({ alarmName }) => alarmName === 'Overspeed');
  const body = { note: 'Seen by the night shift' };
  await create(url, `alarm-history/${cleared.id}/acknowledge`, body, await administrator(url));
  return { device, variables, webhook, startMs };
}

/** Readings that stay in the journal: the newest, and some between and over those of chunks. */
export async function writeNewest(url, { device, startMs }) {
  const readings = VARIABLES.flatMap(({ path, value }) =>
    [3_600, 3_601, 3, 1.5].map((seconds, n) => ({
      key: path,
      value: path === 'engine.state' ? 'MANUAL' : value(n + 1),
      timestamp: startMs + seconds * 1_000,
    })),
  );
  await write(url, device.id, readings);
}

/** The history of a Variable, as arrays; times as differences to the one before. */
async function historyOf(url, { id, topicPropertyPath }) {
  const query = `startTime=0&endTime=${Date.now() + TWO_HOURS_MS}&take=10000`;
  const { items } = await call(
    url,
    'GET',
    `${ORGANIZATION}/devices/variables/${id}/readings?${query}`,
  );
  const times = items.map(({ timestamp }) => timestamp);
  return {
    id,
    path: topicPropertyPath,
    first: times[0],
    steps: times.slice(1).map((time, index) => time - times[index]),
    values: items.map(({ value }) => value),
  };
}

export async function answersOf(url, { variables, webhook }) {
  const list = (path) => call(url, 'GET', `${ORGANIZATION}/${path}`);
  const history = [];
  for (const variable of variables) history.push(await historyOf(url, variable));
  const [device] = (await list('devices')).items;
  return {
    device,
    variables: (await list('devices/variables')).items,
    alarms: (await create(url, 'alarms/search', {})).items,
    events: await eventsOf(url, 2),
    groups: (await list('alarm-groups')).items,
    webhooks: (await list('webhooks')).items,
    webhookSecret: webhook.secret,
    users: (await list('users')).items,
    history,
  };
}
