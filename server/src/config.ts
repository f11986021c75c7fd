import { resolve } from 'node:path';
import type { MapTiles } from '@fieldwatch/contract';
import { type BootstrapSettings, passwordProblem } from './access/index.ts';
import type { MqttSettings as BrokerSettings } from './ingest/index.ts';
import { type PeerAddress, parsePeerAddress } from './nodes/index.ts';
import {
  anySetting as anyText,
  countSetting as count,
  createSettingsReader,
  flagSetting as flag,
  isAllowanceText,
  isUuid,
  LOG_LEVELS,
  type LogLevel,
  NO_PROXIES,
  type ParseSetting as Parse,
  parseTrustedProxies,
  portSetting as port,
  type SettingsReader,
  type TrustedProxies,
} from './runtime/index.ts';

/** Every setting of the server. Nothing else reads the environment. */
export interface Config {
  readonly http: Pick<MqttSettings, 'port' | 'tls'> & { readonly host: string };
  readonly mqtt: MqttSettings;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** Where `postgres` and `initdb` are, when not those of the npm packages. */
  readonly postgresBin: string | null;
  readonly logLevel: LogLevel;
  /** The installation's secret; null means the key file in the data directory. */
  readonly secretKey: string | null;
  readonly bootstrap: BootstrapSettings;
  readonly oidc: OidcSettings | null;
  /** Per credential; 0 means no limit. */
  readonly requestsPerMinute: number;
  /** How long a Device counts as online after it was seen. */
  readonly onlineMinutes: number;
  /** The proxies in front whose `X-Forwarded-For` names the client. */
  readonly trustedProxies: TrustedProxies;
  readonly notify: NotifySettings;
  /** Where other nodes on the database reach this one; null means on this machine alone. */
  readonly nodeAddress: PeerAddress | null;
  /** How many processes share the work on this machine; null means as many as its cores suggest. */
  readonly processes: number | null;
  /** `--new`: an empty installation is wanted, though the key of one is in place. */
  readonly isNew: boolean;
  /** Everything here is made up: said wherever people look, and kept apart from real data. */
  readonly isDemo: boolean;
  /** The tile server of maps; null for maps of outlines alone. */
  readonly mapTiles: MapTiles | null;
}

export interface OidcSettings {
  readonly issuer: string;
  readonly audience: string;
  /** Takes an email for verified when the issuer does not say whether it is. */
  readonly trustsEmail: boolean;
  /** How the issuer knows the console; null when people do not sign in there. */
  readonly client: {
    readonly name: string;
    readonly clientId: string;
    readonly clientSecret: string | null;
  } | null;
}

export interface NotifySettings {
  /** Null means that no mail can be sent. */
  readonly smtp: { readonly url: string; readonly from: string } | null;
  /** Where people find the console, without a slash at its end; for links in messages. */
  readonly publicUrl: string | null;
  /** Addresses, ranges and host names that may be called though they are not public. */
  readonly outboundAllow: string;
}

/** The host is that of the HTTP port. */
type MqttSettings = Omit<BrokerSettings, 'host'>;

export type ConfigResult =
  | { readonly config: Config; readonly unknown: readonly string[] }
  /** One sentence per wrong setting, each beginning with its name. */
  | { readonly problems: readonly string[] };

type Environment = Readonly<Record<string, string | undefined>>;

const trustedProxies: Parse<TrustedProxies> = (text) => {
  const value = parseTrustedProxies(text);
  return value
    ? { value }
    : {
        problem: 'must be true, false, a number of proxies, or a list of addresses and CIDR ranges',
      };
};

const logLevel: Parse<LogLevel> = (text) => {
  const value = LOG_LEVELS.find((level) => level === text);
  return value ? { value } : { problem: `must be one of ${LOG_LEVELS.join(', ')}` };
};

const nodeAddress: Parse<PeerAddress> = (text) => {
  const value = parsePeerAddress(text);
  return value ? { value } : { problem: 'must be a host and a port such as 10.0.0.5:7883' };
};

const processes: Parse<number | null> = (text) => {
  if (text === 'auto') return { value: null };
  const isCount = /^([1-9]|[1-5]\d|6[0-4])$/.test(text);
  return isCount ? { value: Number(text) } : { problem: 'must be auto or a number from 1 to 64' };
};

const uuid: Parse<string> = (text) =>
  isUuid(text) ? { value: text.toLowerCase() } : { problem: 'must be a UUID' };

const email: Parse<string> = (text) =>
  /^[^\s@]+@[^\s@]+$/.test(text) ? { value: text } : { problem: 'must be an email address' };

/** White space at the end of Basic credentials is ignored, so a secret cannot end in it. */
const keySecret: Parse<string> = (text) =>
  text.length >= 32 && text === text.trimEnd()
    ? { value: text }
    : { problem: 'must have at least 32 characters and not end in white space' };

const keyId: Parse<string> = (text) =>
  /^[\w.~-]{1,100}$/.test(text)
    ? { value: text }
    : { problem: 'must be 1 to 100 letters, digits, dots, dashes, underscores or tildes' };

const postgresUrl: Parse<string> = (text) =>
  /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)
    ? { value: text }
    : { problem: 'must be a PostgreSQL address such as postgres://user:password@host:5432/name' };

const issuerUrl: Parse<string> = (text) =>
  /^https?:\/\//.test(text) && URL.canParse(text)
    ? { value: text }
    : { problem: 'must be the http(s) address of an OpenID Connect issuer' };

const mqttUrl: Parse<string> = (text) =>
  /^(mqtt|ws)s?:\/\//.test(text) && URL.canParse(text)
    ? { value: text }
    : { problem: 'must be the address of an MQTT broker such as mqtt://user:password@host:1883' };

const smtpUrl: Parse<string> = (text) =>
  /^smtps?:\/\//.test(text) && URL.canParse(text) && new URL(text).hostname !== ''
    ? { value: text }
    : { problem: 'must be the address of a mail server such as smtp://user:password@host:587' };

const publicUrl: Parse<string> = (text) =>
  /^https?:\/\/[^?#]+$/.test(text) && URL.canParse(text)
    ? { value: text.replace(/\/+$/, '') }
    : { problem: 'must be the http(s) address under which people reach the service' };

const tilesUrl: Parse<string> = (text) => {
  const isComplete = ['{z}', '{x}', '{y}'].every((each) => text.split(each).length === 2);
  const address = text.replace(/\{[xyz]\}/g, '0');
  return isComplete && /^https?:\/\/[^/{]+\/[^\s"'<>]*$/.test(text) && URL.canParse(address)
    ? { value: text }
    : { problem: 'must be an http(s) address with {z}, {x} and {y} in its path, each once' };
};

const tilesText: Parse<string> = (text) =>
  text.length <= 200 ? { value: text } : { problem: 'must have at most 200 characters' };

const allowance: Parse<string> = (text) =>
  isAllowanceText(text)
    ? { value: text }
    : { problem: 'must be a list of addresses, CIDR ranges and host names, separated by commas' };

const secretKey: Parse<string> = (text) =>
  text.length >= 32 ? { value: text } : { problem: 'must have at least 32 characters' };

/** Settings of commands that talk to a server; the server itself ignores them. */
const CLIENT_SETTINGS = 'FIELDWATCH_URL FIELDWATCH_KEY FIELDWATCH_USER FIELDWATCH_PASSWORD';

type Read = SettingsReader['read'];

function readOidc(read: Read, problems: string[]): Config['oidc'] {
  const issuer = read('FIELDWATCH_OIDC_ISSUER', issuerUrl, null);
  const clientId = read('FIELDWATCH_OIDC_CLIENT_ID', anyText, null);
  const clientSecret = read('FIELDWATCH_OIDC_CLIENT_SECRET', anyText, null);
  const name = read('FIELDWATCH_OIDC_NAME', anyText, null);
  const audience = read('FIELDWATCH_OIDC_AUDIENCE', anyText, clientId);
  const trustsEmail = read('FIELDWATCH_OIDC_TRUST_EMAIL', flag, false);
  if (issuer === null) {
    if (clientId !== null) {
      problems.push('FIELDWATCH_OIDC_ISSUER must be set together with FIELDWATCH_OIDC_CLIENT_ID.');
    }
    return null;
  }
  if (audience === null) {
    problems.push('FIELDWATCH_OIDC_AUDIENCE must be set together with FIELDWATCH_OIDC_ISSUER.');
    return null;
  }
  const client =
    clientId === null ? null : { name: name ?? new URL(issuer).host, clientId, clientSecret };
  return { issuer, audience, trustsEmail, client };
}

function readTls(read: Read, problems: string[], cert: string, key: string): MqttSettings['tls'] {
  const [certFile, keyFile] = [read(cert, anyText, null), read(key, anyText, null)];
  if (certFile !== null && keyFile !== null) return { certFile, keyFile };
  if (certFile !== null) problems.push(`${key} must be set together with ${cert}.`);
  if (keyFile !== null) problems.push(`${cert} must be set together with ${key}.`);
  return null;
}

function readMqtt(read: Read, problems: string[]): MqttSettings {
  return {
    port: read('FIELDWATCH_MQTT_PORT', port, 1883),
    tls: readTls(read, problems, 'FIELDWATCH_MQTT_TLS_CERT', 'FIELDWATCH_MQTT_TLS_KEY'),
    url: read('FIELDWATCH_MQTT_URL', mqttUrl, null),
    maxClients: read('FIELDWATCH_MQTT_MAX_CLIENTS', count, 10_000),
    messagesPerSecond: read('FIELDWATCH_MQTT_MESSAGES_PER_SECOND', count, 5_000),
  };
}

function readNotify(read: Read, problems: string[]): NotifySettings {
  const url = read('FIELDWATCH_SMTP_URL', smtpUrl, null);
  const from = read('FIELDWATCH_MAIL_FROM', email, null);
  if (url !== null && from === null) {
    problems.push('FIELDWATCH_MAIL_FROM must be set together with FIELDWATCH_SMTP_URL.');
  }
  return {
    smtp: url === null || from === null ? null : { url, from },
    publicUrl: read('FIELDWATCH_PUBLIC_URL', publicUrl, null),
    outboundAllow: read('FIELDWATCH_OUTBOUND_ALLOW', allowance, ''),
  };
}

function readMapTiles(read: Read, problems: string[]): MapTiles | null {
  const url = read('FIELDWATCH_MAP_TILES_URL', tilesUrl, null);
  const attribution = read('FIELDWATCH_MAP_TILES_ATTRIBUTION', tilesText, null);
  if (url === null) return null;
  if (attribution !== null) return { url, attribution };
  problems.push(
    'FIELDWATCH_MAP_TILES_ATTRIBUTION must be set together with FIELDWATCH_MAP_TILES_URL.',
  );
  return null;
}

function readBootstrap(read: Read): BootstrapSettings {
  const adminEmail = read('FIELDWATCH_ADMIN_EMAIL', email, 'admin@fieldwatch.local');
  const password: Parse<string> = (text) => {
    const problem = passwordProblem(text, adminEmail);
    return problem === null ? { value: text } : { problem };
  };
  return {
    organizationId: read('FIELDWATCH_ORGANIZATION_ID', uuid, null),
    adminEmail,
    adminPassword: read('FIELDWATCH_ADMIN_PASSWORD', password, null),
    apiKeyId: read('FIELDWATCH_API_KEY_ID', keyId, null),
    apiKeySecret: read('FIELDWATCH_API_KEY_SECRET', keySecret, null),
  };
}

/** A demo has a place of its own, whatever else is set. */
function readPlace(
  read: Read,
  problems: string[],
): Pick<Config, 'dataDir' | 'databaseUrl' | 'isDemo' | 'mqtt'> {
  const isDemo = read('FIELDWATCH_DEMO', flag, false);
  const mqtt = readMqtt(read, problems);
  const dataDir = resolve(read('FIELDWATCH_DATA_DIR', anyText, 'data'));
  const databaseUrl = read('DATABASE_URL', postgresUrl, null);
  const shared = { DATABASE_URL: databaseUrl, FIELDWATCH_MQTT_URL: mqtt.url };
  for (const [name, value] of Object.entries(shared)) {
    if (!isDemo || value === null) continue;
    problems.push(`${name} must not be set for a demo: made-up data never mixes with real data.`);
  }
  return { isDemo, databaseUrl, mqtt, dataDir: isDemo ? `${dataDir}-demo` : dataDir };
}

export function readConfig(env: Environment, args: readonly string[] = []): ConfigResult {
  const { read, problems, unknown } = createSettingsReader(env, CLIENT_SETTINGS.split(' '));
  const config: Config = {
    http: {
      host: read('FIELDWATCH_HTTP_HOST', anyText, '0.0.0.0'),
      port: read('FIELDWATCH_HTTP_PORT', port, 8080),
      tls: readTls(read, problems, 'FIELDWATCH_HTTP_TLS_CERT', 'FIELDWATCH_HTTP_TLS_KEY'),
    },
    ...readPlace(read, problems),
    postgresBin: read('FIELDWATCH_POSTGRES_BIN', anyText, null),
    logLevel: read('FIELDWATCH_LOG_LEVEL', logLevel, 'info'),
    secretKey: read('FIELDWATCH_SECRET_KEY', secretKey, null),
    isNew: args.includes('--new'),
    bootstrap: readBootstrap(read),
    oidc: readOidc(read, problems),
    requestsPerMinute: read('FIELDWATCH_REQUESTS_PER_MINUTE', count, 120_000),
    onlineMinutes: read('FIELDWATCH_ONLINE_MINUTES', count, 5),
    trustedProxies: read('FIELDWATCH_TRUST_PROXY', trustedProxies, NO_PROXIES),
    notify: readNotify(read, problems),
    nodeAddress: read('FIELDWATCH_NODE_ADDRESS', nodeAddress, null),
    processes: read('FIELDWATCH_PROCESSES', processes, null),
    mapTiles: readMapTiles(read, problems),
  };
  return problems.length > 0 ? { problems } : { config, unknown: unknown('FIELDWATCH_') };
}
