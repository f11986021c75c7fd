import type { BystanderReport } from './bystander.ts';
import type { HttpAttackReport } from './http-attack.ts';
import type { MqttAttackReport } from './mqtt-attack.ts';

export interface HostilePlan {
  /** These include the first ones, during which memory and stalls are not measured. */
  readonly requests: number;
  readonly packets: number;
  readonly seed: number;
  /** Settings of the server beside its own: a database or a data directory. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Health {
  readonly longestBlockMs: number;
  readonly heapBytes: number;
  readonly rss: number;
  readonly descriptors: number;
}

export interface HostileReport {
  readonly plan: Omit<HostilePlan, 'env'>;
  readonly seconds: number;
  readonly http: HttpAttackReport;
  readonly mqtt: MqttAttackReport;
  readonly bystander: BystanderReport;
  readonly before: Health;
  readonly after: Health;
  /** What must not have happened; nothing when the server stood its ground. */
  readonly findings: readonly string[];
}

const MAX_BLOCK_MS = 100;
const MAX_WAIT_MS = 3_000;
const MAX_HEAP_GROWTH_BYTES = 64 * 1024 * 1024;
const MAX_DESCRIPTOR_GROWTH = 10;

/** Adds the counts of the same name. */
export function sumOf<Name extends string>(
  one: Readonly<Record<Name, number>>,
  other: Readonly<Record<Name, number>>,
): Record<Name, number> {
  const sum: Record<Name, number> = { ...one };
  for (const name of Object.keys(other) as Name[]) sum[name] = (one[name] ?? 0) + other[name];
  return sum;
}

export function hasStalled({ after }: Pick<HostileReport, 'after'>): boolean {
  return after.longestBlockMs > MAX_BLOCK_MS;
}

export function findingsOf(report: Omit<HostileReport, 'findings'>): string[] {
  const { http, mqtt, bystander, before, after } = report;
  const findings = [...http.findings, ...bystander.failures];
  const refuse = (isWrong: boolean, what: string) => void (isWrong && findings.push(what));
  refuse(mqtt.leftOpen > 0, `${mqtt.leftOpen} MQTT connections were left open`);
  refuse(
    bystander.acknowledged === 0 || bystander.found !== bystander.acknowledged,
    `${bystander.acknowledged} readings were acknowledged and ${bystander.found} found`,
  );
  refuse(
    bystander.worstAcknowledgementMs > MAX_WAIT_MS,
    `an acknowledgement took ${bystander.worstAcknowledgementMs} ms`,
  );
  refuse(bystander.worstAnswerMs > MAX_WAIT_MS, `an answer took ${bystander.worstAnswerMs} ms`);
  refuse(hasStalled(report), `the event loop was blocked for ${after.longestBlockMs} ms`);
  refuse(
    after.heapBytes > before.heapBytes + MAX_HEAP_GROWTH_BYTES,
    `memory grew from ${before.heapBytes} to ${after.heapBytes} bytes`,
  );
  refuse(
    after.descriptors > before.descriptors + MAX_DESCRIPTOR_GROWTH,
    `descriptors grew from ${before.descriptors} to ${after.descriptors}`,
  );
  return findings;
}
