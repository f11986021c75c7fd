// Load over HTTP from a process of its own: readings of one Device, with one request in flight on each
// connection. It reads its task as JSON from standard input and writes its result as JSON to standard
// output. Requests are encoded beforehand; only the times in them, which ascend, are written again.
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { KEYS, measured } from './meters.mjs';

const FIRST_TIME = 1_577_836_800_000;
const STEP_MS = 1_000;
const TIME_DIGITS = 13;
/** Stands for a time until one is written in its place. */
const NO_TIME = '1000000000000';

const valuesOf = (step) => KEYS.map((key, index) => [key, Number(measured(index, 1, step))]);

function bodyOf(reports, isList) {
  if (!isList) {
    return `{"timestamp":${NO_TIME},"data":${JSON.stringify(Object.fromEntries(valuesOf(0)))}}`;
  }
  const entries = Array.from({ length: reports }, (_, step) => valuesOf(step)).flat();
  const list = entries.map(
    ([key, value]) => `{"key":"${key}","value":${value},"timestamp":${NO_TIME}}`,
  );
  return `{"dataArray":[${list.join()}]}`;
}

/** A request of some reports, and where the times of each are. */
function requestOf({ path, authorization, reports, isList }) {
  const body = bodyOf(reports, isList);
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: ${authorization}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  const request = `${head.join('\r\n')}\r\n\r\n${body}`;
  const places = [];
  for (let at = request.indexOf(NO_TIME); at >= 0; at = request.indexOf(NO_TIME, at + 1)) {
    places.push(at);
  }
  return { bytes: Buffer.from(request), places, perReport: places.length / reports };
}

/** Sends the next request after each response. */
class Connection {
  answered = 0;
  isSending = true;
  isIdle = true;
  #socket;
  #request;
  #nextTime;
  #received = '';
  #sentAt = 0;
  #onLatency;

  constructor(request, nextTime, onLatency) {
    this.#request = request;
    this.#nextTime = nextTime;
    this.#onLatency = onLatency;
  }

  async open(port) {
    this.#socket = connect({ port, host: '127.0.0.1' }).setNoDelay(true);
    this.#socket.on('error', (error) => {
      throw error;
    });
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    await once(this.#socket, 'connect');
  }

  send() {
    const { bytes, places, perReport } = this.#request;
    for (let first = 0; first < places.length; first += perReport) {
      const time = String(this.#nextTime());
      for (let place = first; place < first + perReport; place += 1) {
        bytes.latin1Write(time, places[place], TIME_DIGITS);
      }
    }
    this.isIdle = false;
    this.#sentAt = performance.now();
    this.#socket.write(bytes);
  }

  #receive(chunk) {
    this.#received += chunk.toString('latin1');
    const end = this.#received.indexOf('\r\n\r\n');
    const length = /content-length: (\d+)/i.exec(this.#received)?.[1];
    if (end < 0 || this.#received.length < end + 4 + Number(length)) return;
    if (!this.#received.startsWith('HTTP/1.1 200')) throw new Error(this.#received);
    this.#received = '';
    this.isIdle = true;
    this.answered += 1;
    this.#onLatency(performance.now() - this.#sentAt);
    if (this.isSending) this.send();
  }

  close() {
    this.#socket.end();
  }
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

async function load({ port, connections: count, warmUpSeconds, seconds, ...request }) {
  const latencies = [];
  let step = 0;
  const nextTime = () => {
    step += 1;
    return FIRST_TIME + step * STEP_MS;
  };
  const connections = Array.from(
    { length: count },
    () => new Connection(requestOf(request), nextTime, (ms) => latencies.push(ms)),
  );
  await Promise.all(connections.map((each) => each.open(port)));
  for (const connection of connections) connection.send();
  await sleep(1000 * warmUpSeconds);
  const answered = () => connections.reduce((sum, each) => sum + each.answered, 0);
  latencies.length = 0;
  const [before, began, cpu] = [answered(), performance.now(), process.cpuUsage()];
  say({ begun: true });
  await sleep(1000 * seconds);
  const messages = answered() - before;
  const took = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  say({ ended: true });
  for (const connection of connections) connection.isSending = false;
  while (!connections.every((each) => each.isIdle)) await sleep(20);
  latencies.sort((a, b) => a - b);
  const quantile = (part) => latencies[Math.floor(part * latencies.length)];
  const [p50, p99] = [quantile(0.5), quantile(0.99)];
  const readings = request.reports * KEYS.length;
  say({ messages, readings, seconds: took, cpuSeconds: (user + system) / 1e6, p50, p99 });
  for (const connection of connections) connection.close();
}

await load(JSON.parse(await text(process.stdin)));
