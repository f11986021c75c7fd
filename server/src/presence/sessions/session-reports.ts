import type { Membership, Ownership, Peers } from '../../nodes/index.ts';
import { type Clock, every, type Log, type Periodic } from '../../runtime/index.ts';
import { LocalSessions, type NewSession } from './local-sessions.ts';
import { type OutgoingReport, OutgoingReports } from './outgoing-reports.ts';
import {
  decodeAnswer,
  decodeReport,
  encoded,
  type ReportAnswer,
  type ReportedDevice,
} from './report.ts';
import { SessionRegistry, type TakenOver } from './session-registry.ts';

/*
 * A node reports the MQTT sessions that it has to the nodes that act for their Devices, itself
 * included. The owner of a Device knows all of its sessions, decides which client has taken over
 * from which, and derives the presence of the Device from them.
 */

export interface SessionReportsDeps {
  readonly ownership: Ownership;
  readonly membership: Pick<Membership, 'incarnation' | 'nodes' | 'hasPeers'>;
  readonly peers: Pick<Peers, 'serve' | 'call'>;
  readonly clock: Clock;
  readonly log: Log;
  /** The first session of a Device that this node acts for opened, or its last one closed. */
  readonly onChanged: (device: ReportedDevice, agoMs: number) => void;
}

const REPORT = 'report-sessions';
const CLOSE = 'close-sessions';
const CALL_TIMEOUT_MS = 5_000;
const TICK_MS = 250;
/** Nodes that have nothing to report ask what the others lack this often. */
const TICKS_PER_QUESTION = 8;
/** How long the Devices of a node that is gone have to connect to another one. */
const GRACE_MS = 30_000;
const NOTHING = Buffer.alloc(0);

export class SessionReports {
  readonly #deps: SessionReportsDeps;
  readonly #local = new LocalSessions();
  readonly #registry: SessionRegistry;
  readonly #outgoing: OutgoingReports;
  readonly #ticks: Periodic;
  /** Nodes that have been asked to close sessions and have not answered yet. */
  readonly #closing = new Set<string>();
  #tickCount = 0;
  #isScheduled = false;
  #isStopped = false;

  constructor(deps: SessionReportsDeps) {
    const { ownership, membership, peers, log } = deps;
    this.#deps = deps;
    this.#registry = new SessionRegistry({
      owns: (partition) => ownership.ownerAt(partition) === ownership.nodeId,
      onChanged: (device, agoMs) => {
        if (!this.#isStopped) deps.onChanged(device, agoMs);
      },
    });
    this.#outgoing = new OutgoingReports({
      epoch: membership.incarnation.epoch,
      local: this.#local,
      ownerAt: (partition) => ownership.ownerAt(partition),
    });
    this.#ticks = every(
      TICK_MS,
      () => this.#tick(),
      (error) => log.error({ err: error }, 'sessions could not be reported'),
    );
    ownership.onChange(({ lost }) => {
      this.#registry.drop(lost);
      this.#schedule();
    });
    peers.serve(REPORT, async (body, callerId) => encoded(this.#receive(callerId, body)));
    peers.serve(CLOSE, async (body) => {
      this.#close(JSON.parse(body.toString()));
      return NOTHING;
    });
  }

  /** A session has opened at this node. Returns a function that reports its end. */
  readonly sessionOpened = (opened: NewSession): (() => void) => {
    const { deviceId, organizationId } = opened;
    const device = { deviceId, organizationId };
    const session = this.#local.open(opened);
    this.#changed(device);
    return () => {
      this.#local.close(deviceId, session);
      this.#changed(device);
    };
  };

  /** Whether a Device that this node acts for has a session at any node. */
  isConnected(deviceId: string): boolean {
    return this.#registry.isConnected(deviceId);
  }

  /** Whether a Device has a session at this node. */
  isConnectedHere(deviceId: string): boolean {
    return this.#local.has(deviceId);
  }

  start(): void {
    this.#ticks.start();
  }

  /** Sessions that close from now on are not reported: their Devices connect to another node. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#ticks.stop();
  }

  #changed(device: Omit<ReportedDevice, 'sessions'>): void {
    this.#outgoing.changed(device);
    this.#schedule();
  }

  /** Sessions that change in the same turn of the event loop are reported together. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  #send(): void {
    if (this.#isStopped) return;
    for (const outgoing of this.#outgoing.take()) void this.#deliver(outgoing);
  }

  #tick(): void {
    const { membership, ownership, clock } = this.#deps;
    this.#tickCount += 1;
    this.#send();
    const alive = membership.nodes.filter(({ lostAt }) => lostAt === null);
    const epochs = [membership.incarnation, ...alive].map(({ epoch }) => epoch);
    this.#registry.closeGone(new Set(epochs), clock.elapsed(), GRACE_MS);
    if (!membership.hasPeers) return;
    this.#requestTakeOvers();
    if (this.#tickCount % TICKS_PER_QUESTION !== 0) return;
    for (const { id } of alive) {
      const question = id === ownership.nodeId ? null : this.#outgoing.takeEmpty(id);
      if (question) void this.#deliver(question);
    }
  }

  async #deliver(outgoing: OutgoingReport): Promise<void> {
    const { ownership, log } = this.#deps;
    const { nodeId, report } = outgoing;
    if (nodeId === ownership.nodeId) {
      this.#outgoing.answered(outgoing, this.#registry.apply(nodeId, report));
      this.#requestTakeOvers();
      return;
    }
    let answer: ReportAnswer;
    try {
      const { peers } = this.#deps;
      answer = decodeAnswer(await peers.call(nodeId, REPORT, encoded(report), CALL_TIMEOUT_MS));
    } catch (error) {
      log.debug({ err: error, nodeId }, 'sessions could not be reported; will retry');
      this.#outgoing.failed(outgoing);
      return;
    }
    this.#outgoing.answered(outgoing, answer);
    // What the node lacks is sent with the next tick: it may not act for these partitions yet.
    if (answer.wanted.length === 0) this.#schedule();
  }

  #receive(callerId: string, body: Buffer): ReportAnswer {
    const answer = this.#registry.apply(callerId, decodeReport(body));
    // Not before the answer: a handler must not wait for its caller.
    setImmediate(() => this.#requestTakeOvers());
    return answer;
  }

  /** Has the sessions closed whose clients have connected to another node; repeated by the ticks. */
  #requestTakeOvers(): void {
    for (const takenOver of this.#registry.takenOver()) {
      if (takenOver.nodeId === this.#deps.ownership.nodeId) this.#close(takenOver);
      else void this.#requestTakeOver(takenOver);
    }
  }

  async #requestTakeOver({ nodeId, ...takenOver }: TakenOver): Promise<void> {
    const { peers, log } = this.#deps;
    if (this.#closing.has(nodeId)) return;
    this.#closing.add(nodeId);
    try {
      await peers.call(nodeId, CLOSE, encoded(takenOver), CALL_TIMEOUT_MS);
    } catch (error) {
      log.debug({ err: error, nodeId }, 'sessions could not be closed; will retry');
    } finally {
      this.#closing.delete(nodeId);
    }
  }

  #close({ epoch, numbers }: Omit<TakenOver, 'nodeId'>): void {
    if (epoch !== this.#deps.membership.incarnation.epoch) return;
    for (const number of numbers) this.#local.takeOver(number);
  }
}
