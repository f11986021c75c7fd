import { Agent, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { createRandom, type Random } from '../support/random.ts';
import {
  type DescribedOperation,
  type Document,
  describedOperations,
  resolver,
} from './openapi.ts';
import {
  answeredCollection,
  collectionsOf,
  type HostileRequest,
  KnownIds,
  requestFor,
} from './requests.ts';

export interface HttpAttack {
  readonly url: string;
  readonly organizationId: string;
  readonly requests: number;
  readonly seed: number;
  /** `Authorization` headers to send, the most powerful first; requests without any are sent too. */
  readonly credentials: readonly string[];
  /** Identifiers that no request may name, since the attack itself needs them. */
  readonly protectedIds: readonly string[];
}

export interface HttpAttackReport {
  readonly statuses: Readonly<Record<string, number>>;
  /** What must not happen, in words, at most a few of each kind. */
  readonly findings: readonly string[];
}

const MAX_CONCURRENT_REQUESTS = 20;
const ANSWER_TIMEOUT_MS = 30_000;
const MAX_FINDINGS = 20;
/** What an answer must never show: a stack, a statement, a path of the installation. */
const INTERNALS = /\bat \S+ \(|node_modules|SQLSTATE|pg_catalog|syntax error at|\bdist\/|Error: /;

interface Answer {
  readonly status: number;
  readonly text: string;
}

export async function attackHttp(attack: HttpAttack): Promise<HttpAttackReport> {
  const random = createRandom(attack.seed);
  const document = (await (await fetch(`${attack.url}/openapi.json`)).json()) as Document;
  const operations = describedOperations(document);
  const collections = collectionsOf(operations);
  const ids = new KnownIds(random, attack.protectedIds);
  const source = {
    random,
    resolve: resolver(document),
    ids,
    organizationId: attack.organizationId,
  };
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONCURRENT_REQUESTS, timeout: 2_000 });
  const statuses: Record<string, number> = {};
  const findings: string[] = [];
  // The lists first, so that requests can name what exists.
  const lists = operations.filter(({ method, path }) => method === 'GET' && /\w$/.test(path));
  let left = attack.requests;

  async function send(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const sent = requestFor(source, lists.pop() ?? chosen(random, operations));
      const authorization = credentialFor(random, attack.credentials, sent.operation);
      const answer = await exchange(attack.url, sent, { agent, authorization });
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      const body = parsed(answer.text);
      if (answer.status < 300)
        ids.learn(answeredCollection(sent.operation.path, collections), body);
      const fault = faultOf(sent, answer, body);
      if (fault !== null && findings.length < MAX_FINDINGS) {
        findings.push(`${fault}: ${inWords(sent)} answered ${answer.text.slice(0, 200)}`);
      }
    }
  }

  await Promise.all(Array.from({ length: MAX_CONCURRENT_REQUESTS }, send));
  agent.destroy();
  return { statuses, findings };
}

/** Signing in costs the server what it must; a few of those are enough. */
function chosen(random: Random, operations: readonly DescribedOperation[]): DescribedOperation {
  const operation = random.pick(operations);
  return operation.access === 'anyone' && random.below(10) > 0
    ? random.pick(operations)
    : operation;
}

function credentialFor(
  random: Random,
  credentials: readonly string[],
  { access }: DescribedOperation,
): string | undefined {
  if (random.below(100) < 4) return undefined;
  if (random.below(100) < 3)
    return random.pick(['Basic', 'Basic !!!!', 'Bearer x.y.z', 'Digest a']);
  if (access === 'user') return credentials[0];
  return random.pick(credentials);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is wrong with the answer, in a few words, or null. */
function faultOf({ operation }: HostileRequest, answer: Answer, body: unknown): string | null {
  const { status, text } = answer;
  if (status >= 500) return `status ${status}`;
  if (!operation.statuses.has(status)) return `undeclared status ${status}`;
  if (status < 400) return null;
  const problem = (body ?? {}) as { status?: number; code?: string; requestId?: string };
  if (problem.status !== status || !problem.code || !problem.requestId) return 'no problem record';
  return INTERNALS.test(text) ? 'internals in an answer' : null;
}

function inWords({ method, path, operation, body }: HostileRequest): string {
  return `${operation.id} ${method} ${path.slice(0, 200)} ${body?.toString('latin1').slice(0, 300) ?? ''}`;
}

function exchange(
  url: string,
  { method, path, headers, body }: HostileRequest,
  { agent, authorization }: { agent: Agent; authorization: string | undefined },
): Promise<Answer> {
  return new Promise((resolve) => {
    const all = {
      ...headers,
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === null ? {} : { 'content-length': String(body.length) }),
    };
    const sent = request(`${url}${path}`, { agent, method, headers: all }, (response) => {
      const status = response.statusCode ?? 0;
      // A stream of events has no end to wait for.
      if (response.headers['content-type'] === 'text/event-stream') {
        response.destroy();
        resolve({ status, text: '' });
        return;
      }
      textOf(response).then(
        (text) => resolve({ status, text }),
        (error: Error) => resolve({ status: 599, text: `broken off: ${error.message}` }),
      );
    });
    sent.setTimeout(ANSWER_TIMEOUT_MS, () => sent.destroy(new Error('no answer')));
    sent.on('error', (error) => resolve({ status: 599, text: error.message }));
    sent.end(body ?? undefined);
  });
}
