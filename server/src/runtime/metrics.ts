import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export interface CounterSource {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** The totals since the start, by the values of the label. */
  totals(): Readonly<Record<string, number>>;
}

/** What the service counts, as Prometheus reads it. */
export interface Metrics {
  observeRequest(operation: string, status: number, seconds: number): void;
  /** Something that is counted elsewhere, by one label; read when somebody asks. */
  addCounter(counter: CounterSource): void;
  text(): Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'fieldwatch_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  // A series found by its labels each time costs more than the observation.
  const series = new Map<string, Histogram.Internal<string>>();
  return {
    observeRequest(operation, status, seconds) {
      const name = `${operation} ${status}`;
      const known = series.get(name) ?? requests.labels(operation, String(status));
      series.set(name, known);
      known.observe(seconds);
    },
    addCounter({ name, help, label, totals }) {
      new Counter({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        collect() {
          this.reset();
          for (const [value, total] of Object.entries(totals()))
            this.inc({ [label]: value }, total);
        },
      });
    },
    text: () => registry.metrics(),
  };
}
