import { wholeNumber } from './whole-number.ts';

/** The options of the command line. */
export interface Settings {
  readonly url: string;
  readonly mqtt: string;
  readonly organizationId: string;
  readonly credentials: Credentials;
  readonly sites: number;
  readonly seed: number;
  readonly intervalSeconds: number;
  readonly speed: number;
  readonly days: number;
  readonly hasIncident: boolean;
  /** The broker of a LoRaWAN site that is published instead of the fleet; null for the fleet. */
  readonly lorawan: string | null;
  /** 0 means until it is stopped. */
  readonly forSeconds: number;
}

export type Credentials =
  | { readonly apiKeyId: string; readonly apiKeySecret: string }
  | { readonly email: string; readonly password: string };

/** The defaults. */
export interface Defaults {
  readonly organizationId?: string | undefined;
  readonly apiKeyId?: string | undefined;
  readonly apiKeySecret?: string | undefined;
}

export type Parsed =
  | { readonly settings: Settings }
  /** One sentence each, naming the flag. */
  | { readonly problems: readonly string[] }
  | { readonly help: string };

const HELP = `npm run simulate -- [flags]

Publishes a believable fleet to a running server, over MQTT. It makes what it needs
(Locations, Devices, Variables, Assets, Alarms), and finds it again the next time.

  --organization <id>        the organization; FIELDWATCH_ORGANIZATION_ID when left out
  --api-key <id>:<secret>    FIELDWATCH_API_KEY_ID and _SECRET when left out
  --user <email>:<password>  instead of a key; makes Dashboards too
  --url <address>            the server                       http://127.0.0.1:8080
  --mqtt <address>           its broker                       port 1883 of the same host
  --sites <n>                1 to 1000                                            5
  --interval <seconds>       between two reports, 1 to 3600                       10
  --days <n>                 history to publish first, 0 to 366                   0
  --speed <n>                how much faster the fleet lives, 1 to 10000          1
  --incident                 the first site loses the utility after a minute
  --lorawan <address>        instead of the fleet, a LoRaWAN site of 50 sensors, published
                             to this broker as ChirpStack would; the server reads from it
  --for <seconds>            stops by itself after that time
  --seed <n>                 another fleet, or the same one again                 1
  --help                     this text

Ctrl-C stops it.`;

const VALUED = [
  'organization',
  'api-key',
  'user',
  'url',
  'mqtt',
  'lorawan',
  'sites',
  'interval',
  'days',
  'speed',
  'for',
  'seed',
] as const;

type Valued = (typeof VALUED)[number];

interface Given {
  readonly values: ReadonlyMap<Valued, string>;
  readonly incident: boolean;
  readonly help: boolean;
}

function split(args: readonly string[], problems: string[]): Given {
  const values = new Map<Valued, string>();
  let incident = false;
  let help = false;
  const left = [...args];
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const [flag, ...rest] = next.split('=');
    const name = VALUED.find((each) => flag === `--${each}`);
    if (flag === '--incident') incident = true;
    else if (flag === '--help' || flag === '-h') help = true;
    else if (name === undefined) problems.push(`${flag} is no flag of the simulator; see --help.`);
    else {
      const value = rest.length > 0 ? rest.join('=') : left.shift();
      if (value === undefined || value === '') problems.push(`--${name} needs a value.`);
      else values.set(name, value);
    }
  }
  return { values, incident, help };
}

export function parseFlags(args: readonly string[], defaults: Defaults): Parsed {
  const problems: string[] = [];
  const { values, incident, help } = split(args, problems);
  if (help) return { help: HELP };

  function whole(name: Valued, least: number, most: number, fallback: number): number {
    const text = values.get(name);
    if (text === undefined) return fallback;
    const value = wholeNumber(name, text, least, most);
    if (typeof value === 'number') return value;
    problems.push(value);
    return fallback;
  }
  function address(name: Valued, schemes: readonly string[], fallback: string): string {
    const text = values.get(name) ?? fallback;
    if (URL.canParse(text) && schemes.includes(new URL(text).protocol)) return text;
    problems.push(`--${name} must be an address with ${schemes.join(' or ')}//, not "${text}".`);
    return fallback;
  }

  const url = address('url', ['http:', 'https:'], 'http://127.0.0.1:8080');
  const settings = {
    url,
    mqtt: address(
      'mqtt',
      ['mqtt:', 'mqtts:', 'ws:', 'wss:'],
      `mqtt://${new URL(url).hostname}:1883`,
    ),
    sites: whole('sites', 1, 1_000, 5),
    intervalSeconds: whole('interval', 1, 3_600, 10),
    days: whole('days', 0, 366, 0),
    speed: whole('speed', 1, 10_000, 1),
    forSeconds: whole('for', 0, 999_999_999, 0),
    seed: whole('seed', 0, 2 ** 31 - 1, 1),
    hasIncident: incident,
    lorawan: values.has('lorawan') ? address('lorawan', ['mqtt:', 'mqtts:'], '') : null,
  };
  const organizationId = values.get('organization') ?? defaults.organizationId;
  if (!organizationId) problems.push('--organization is needed: the id that the server prints.');
  const credentials = credentialsOf(values, defaults, problems);
  if (problems.length > 0 || !organizationId || !credentials) return { problems };
  return { settings: { ...settings, organizationId, credentials } };
}

function credentialsOf(
  values: Given['values'],
  { apiKeyId, apiKeySecret }: Defaults,
  problems: string[],
): Credentials | null {
  const [key, user] = [values.get('api-key'), values.get('user')];
  if (key !== undefined && user !== undefined) {
    problems.push('--api-key and --user exclude each other.');
  } else if (key !== undefined) {
    const [id, secret] = halves(key);
    if (id && secret) return { apiKeyId: id, apiKeySecret: secret };
    problems.push('--api-key must be <id>:<secret>.');
  } else if (user !== undefined) {
    const [email, password] = halves(user);
    if (email && password) return { email, password };
    problems.push('--user must be <email>:<password>.');
  } else if (apiKeyId && apiKeySecret) {
    return { apiKeyId, apiKeySecret };
  } else {
    problems.push('--api-key or --user is needed: the first start of the server prints both.');
  }
  return null;
}

/** Splits at the first colon, because a secret may contain one too. */
function halves(text: string): [string, string] {
  const at = text.indexOf(':');
  return at === -1 ? ['', ''] : [text.slice(0, at), text.slice(at + 1)];
}
