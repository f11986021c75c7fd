import { cpus, totalmem } from 'node:os';

export interface FaultRecord {
  readonly kind: string;
  readonly atMs: number;
  readonly durationMs: number;
  /** From the end of the fault to the first acknowledgement over HTTP and over MQTT. */
  readonly recoveryMs: number;
}

/** What a run did and found. */
export interface Report {
  readonly seed: number;
  readonly seconds: number;
  readonly machine: Readonly<Record<string, string | number>>;
  readonly done: Readonly<Record<string, number>>;
  readonly faults: readonly FaultRecord[];
  /** Kinds that could not be tried here, and why. */
  readonly notTried: Readonly<Record<string, string>>;
  /** What is wrong, by its kind; empty lists when nothing is. */
  readonly differences: Readonly<Record<string, readonly string[]>>;
  /** What is stored of the Alarms that differ. */
  readonly stored?: readonly string[];
}

const SHOWN = 5;

/** Where a run took place. */
export function machine() {
  return {
    cores: `${cpus().length} cores`,
    memory: `${Math.round(totalmem() / 1024 ** 3)} GiB`,
    node: `Node ${process.versions.node}`,
    platform: `${process.platform} ${process.arch}`,
  };
}

export function isSound({ differences }: Report): boolean {
  return Object.values(differences).every((each) => each.length === 0);
}

function table(rows: readonly (readonly [string, string | number])[]): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
}

function faultRows(faults: readonly FaultRecord[]): (readonly [string, string])[] {
  const kinds = [...new Set(faults.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const own = faults.filter((fault) => fault.kind === kind).map(({ recoveryMs }) => recoveryMs);
    const mean = own.reduce((sum, each) => sum + each, 0) / own.length;
    const seconds = (ms: number) => (ms / 1_000).toFixed(1);
    return [
      kind,
      `${own.length}, served again after ${seconds(mean)} s (longest ${seconds(Math.max(...own))} s)`,
    ];
  });
}

export function textOf(report: Report): string {
  const lines = [
    `Seed ${report.seed}, ${report.seconds} s, ${Object.values(report.machine).join(', ')}`,
    '',
    'Done',
    ...table(Object.entries(report.done)),
    '',
    'Faults',
    ...table(faultRows(report.faults)),
    ...table(Object.entries(report.notTried).map(([kind, why]) => [kind, `not tried: ${why}`])),
    '',
    'Differences',
    ...table(Object.entries(report.differences).map(([kind, each]) => [kind, each.length])),
  ];
  for (const [kind, each] of Object.entries(report.differences)) {
    if (each.length > 0) lines.push('', `${kind}, the first:`, ...each.slice(0, SHOWN));
  }
  const { stored = [] } = report;
  if (stored.length > 0) lines.push('', 'Stored of these Alarms:', ...stored.slice(0, SHOWN));
  const verdict = isSound(report)
    ? 'Lost: nothing. Raised: exactly what the oracle says.'
    : `FAILED. Repeat it with --seed ${report.seed}`;
  return [...lines, '', verdict, ''].join('\n');
}
