// Load over MQTT 3.1.1 from a process of its own. It reads its task as JSON from standard input and
// writes its result as JSON to standard output. Packets are encoded beforehand, one after the other in
// one buffer per connection, so that sending is a write of a slice.
// `node bench/mqtt-loader.mjs sink` is the baseline: it acknowledges and does nothing else.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { KEYS, KEYS_PER_MESSAGE, measured } from './meters.mjs';

const CONNACK_BYTES = 4;
const PUBACK_BYTES = 4;
const MIN_MESSAGES = 600;
const MAX_WARM_UP_MS = 120_000;
/** By then the server has stored that each Device is online. */
const SAID_ONLINE_MS = 4_000;
/** The number of rounds after which every key of a Device has been sent. */
const ROUNDS_OF_KEYS = 5;
const RECEIVED = Buffer.alloc(65_536);
/** With a rate, the window is this many times as large as without. */
const PACED_ROOM = 10;

function lengthOf(size) {
  const bytes = [];
  for (let left = size; ; left >>= 7) {
    bytes.push(left > 127 ? (left & 127) | 128 : left);
    if (left < 128) return Buffer.from(bytes);
  }
}

function packetOf(header, ...parts) {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([header]), lengthOf(body.length), body]);
}

function textOf(value) {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
}

function connectPacket({ username, password }) {
  const head = Buffer.from([4, 0xc2, 0, 0]);
  return packetOf(0x10, textOf('MQTT'), head, textOf('loader'), textOf(username), textOf(password));
}

function publishPacket(topic, id, payload) {
  return packetOf(0x32, textOf(topic), Buffer.from([id >> 8, id & 255]), Buffer.from(payload));
}

function payloadOf(seed, round) {
  const fields = [];
  for (let place = 0; place < KEYS_PER_MESSAGE; place += 1) {
    const key = (round * KEYS_PER_MESSAGE + place) % KEYS.length;
    fields.push(`"${KEYS[key]}":${measured(key, seed, round)}`);
  }
  return `{${fields.join(',')}}`;
}

/** All messages of a connection, each topic in turn; `starts` says where each begins. */
function tapeOf({ topics }, seed) {
  const rounds = Math.max(ROUNDS_OF_KEYS, Math.ceil(MIN_MESSAGES / topics.length));
  const count = topics.length * rounds;
  const packets = [];
  const starts = new Uint32Array(count + 1);
  for (let message = 0; message < count; message += 1) {
    const place = message % topics.length;
    const payload = payloadOf(seed * 7919 + place, Math.floor(message / topics.length));
    const packet = publishPacket(topics[place], (message % 65_535) + 1, payload);
    packets.push(packet);
    starts[message + 1] = starts[message] + packet.length;
  }
  return { bytes: Buffer.concat(packets), starts, count };
}

/** One connection with a fixed number of messages in flight: each acknowledgement sends the next. */
class Connection {
  acknowledged = 0;
  outOfOrder = 0;
  #sent = 0;
  #tape;
  #socket;
  #inFlight;
  #rest = 0;
  #sentAt;
  #onLatency;
  isSending = true;
  /** Sends only on `offer`, not after each acknowledgement. */
  isPaced = false;

  constructor(tape, inFlight, onLatency) {
    this.#tape = tape;
    this.#inFlight = inFlight;
    this.#sentAt = new Float64Array(inFlight);
    this.#onLatency = onLatency;
  }

  get isIdle() {
    return this.acknowledged === this.#sent;
  }

  async open(port, client) {
    let answered;
    let receive = (length) => {
      receive = (count) => this.#receive(RECEIVED, count);
      answered(Buffer.from(RECEIVED.subarray(0, length)));
    };
    // All connections read into one buffer, so that the loader takes less from what is measured.
    const onread = { buffer: RECEIVED, callback: (length) => receive(length) ?? true };
    this.#socket = connect({ port, host: '127.0.0.1', onread }).setNoDelay(true);
    this.#socket.on('error', (error) => {
      throw error;
    });
    await once(this.#socket, 'connect');
    this.#socket.write(connectPacket(client));
    const answer = await new Promise((resolve) => {
      answered = resolve;
    });
    if (answer.length !== CONNACK_BYTES || answer[3] !== 0) {
      throw new Error(`refused: ${answer.toString('hex')}`);
    }
    this.#socket.on('close', () => {
      if (!this.isIdle) throw new Error('closed with messages in flight');
    });
  }

  start() {
    this.#send(this.#inFlight, performance.now());
  }

  /** Sends up to so many messages within the window, and returns how many it sent. */
  offer(count) {
    const room = this.#inFlight - (this.#sent - this.acknowledged);
    const sending = Math.min(count, room);
    this.#send(sending, performance.now());
    return sending;
  }

  /** A chunk of data may end within an acknowledgement; only complete ones are read. */
  #receive(bytes, length) {
    const total = this.#rest + length;
    const count = Math.floor(total / PUBACK_BYTES);
    for (let at = (PUBACK_BYTES - this.#rest) % PUBACK_BYTES; at + 4 <= length; at += 4) {
      const place = Math.floor((this.#rest + at) / PUBACK_BYTES);
      const id = (((this.acknowledged + place) % this.#tape.count) % 65_535) + 1;
      if (bytes[at] !== 0x40 || ((bytes[at + 2] << 8) | bytes[at + 3]) !== id) this.outOfOrder += 1;
    }
    this.#rest = total % PUBACK_BYTES;
    const now = performance.now();
    this.#onLatency(now - this.#sentAt[this.acknowledged % this.#inFlight]);
    this.acknowledged += count;
    if (this.isSending && !this.isPaced) this.#send(count, now);
  }

  #send(count, now) {
    const { bytes, starts, count: length } = this.#tape;
    for (let left = count; left > 0; ) {
      const first = this.#sent % length;
      const last = Math.min(first + left, length);
      this.#socket.write(bytes.subarray(starts[first], starts[last]));
      for (let place = 0; place < last - first; place += 1) {
        this.#sentAt[(this.#sent + place) % this.#inFlight] = now;
      }
      this.#sent += last - first;
      left -= last - first;
    }
  }

  close() {
    this.#socket.end();
  }
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Sends at a rate, connection by connection, each within its window. Messages that could not be sent in
 * time are sent later, as gateways with a buffer do.
 */
function pace(connections, { messagesPerSecond, atOnce }) {
  for (const connection of connections) connection.isPaced = true;
  let last = performance.now();
  let due = 0;
  let next = 0;
  setInterval(() => {
    const now = performance.now();
    due += ((now - last) * messagesPerSecond) / 1000;
    last = now;
    for (let left = connections.length; left > 0 && due >= atOnce; left -= 1) {
      const connection = connections[next];
      next = (next + 1) % connections.length;
      if (connection.isSending) due -= connection.offer(atOnce);
    }
  }, 2).unref();
}

/** With `messagesPerSecond` at that rate, otherwise as fast as it is acknowledged. */
async function load({ port, clients, inFlight, warmUpSeconds, seconds, messagesPerSecond }) {
  const latencies = [];
  /** The longest latency of each second of the measurement. */
  let longestPerSecond = [];
  let began = performance.now();
  const record = (ms) => {
    latencies.push(ms);
    const second = Math.floor((performance.now() - began) / 1000);
    longestPerSecond[second] = Math.max(longestPerSecond[second] ?? 0, ms);
  };
  const most = messagesPerSecond ? PACED_ROOM * inFlight : inFlight;
  const connections = clients.map(
    (client, seed) => new Connection(tapeOf(client, seed), most, record),
  );
  for (let first = 0; first < clients.length; first += 50) {
    const some = connections.slice(first, first + 50);
    await Promise.all(
      some.map((each, place) => {
        const client = clients[first + place];
        return each.open(client.port ?? port, client);
      }),
    );
  }
  const acknowledged = () => connections.reduce((sum, each) => sum + each.acknowledged, 0);
  if (messagesPerSecond) pace(connections, { messagesPerSecond, atOnce: inFlight });
  else for (const connection of connections) connection.start();
  await sleep(1000 * warmUpSeconds);
  // Until the server has received data of every Device once.
  const lap = clients.reduce((sum, { topics }) => sum + topics.length, 0);
  const latest = performance.now() + MAX_WARM_UP_MS;
  while (acknowledged() < lap && performance.now() < latest) await sleep(100);
  await sleep(SAID_ONLINE_MS);
  const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);
  latencies.length = 0;
  longestPerSecond = [];
  began = performance.now();
  const [before, cpu] = [acknowledged(), process.cpuUsage()];
  say({ begun: true });
  await sleep(1000 * seconds);
  const messages = acknowledged() - before;
  const took = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  latencies.sort((a, b) => a - b);
  const quantile = (part) => latencies[Math.floor(part * latencies.length)];
  const [p50, p99, longest] = [quantile(0.5), quantile(0.99), latencies.at(-1)];
  say({ ended: true });
  for (const connection of connections) connection.isSending = false;
  const deadline = performance.now() + 30_000;
  while (!connections.every((each) => each.isIdle)) {
    if (performance.now() > deadline) throw new Error('messages were not acknowledged within 30 s');
    await sleep(20);
  }
  const outOfOrder = connections.reduce((sum, each) => sum + each.outOfOrder, 0);
  const cpuSeconds = (user + system) / 1e6;
  say({
    messages,
    seconds: took,
    total: acknowledged(),
    outOfOrder,
    cpuSeconds,
    p50,
    p99,
    longest,
    longestPerSecond,
  });
  for (const connection of connections) connection.close();
}

/** Acknowledges every PUBLISH and everything else as a CONNECT. */
async function sink() {
  const server = createServer((socket) => {
    let rest = Buffer.alloc(0);
    socket.setNoDelay(true).on('error', () => undefined);
    socket.on('data', (chunk) => {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      const answers = [];
      let at = 0;
      for (;;) {
        let size = 0;
        let head = 1;
        for (; at + head < bytes.length; head += 1) {
          size |= (bytes[at + head] & 127) << (7 * (head - 1));
          if (bytes[at + head] < 128) break;
        }
        head += 1;
        if (at + head + size > bytes.length || bytes.length < at + 2) break;
        if (bytes[at] >> 4 === 3) {
          const id = at + head + 2 + ((bytes[at + head] << 8) | bytes[at + head + 1]);
          answers.push(0x40, 2, bytes[id], bytes[id + 1]);
        } else answers.push(0x20, 2, 0, 0);
        at += head + size;
      }
      rest = bytes.subarray(at);
      if (answers.length > 0) socket.write(Buffer.from(answers));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log(`ready at mqtt://127.0.0.1:${server.address().port}`);
  process.on('SIGTERM', () => process.exit(0));
}

if (process.argv[2] === 'sink') await sink();
else await load(JSON.parse(await text(process.stdin)));
