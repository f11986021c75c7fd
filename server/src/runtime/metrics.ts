import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

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
  /** A counter that is kept elsewhere, by one label; read at each scrape. */
  addCounter(counter: CounterSource): void;
  /** A gauge that is kept elsewhere, by one label; read at each scrape. */
  addGauge(gauge: GaugeSource): void;
  /** How long something takes; call the answer with each time, in seconds. */
  addDuration(duration: {
    readonly name: string;
    readonly help: string;
  }): (seconds: number) => void;
  text(): Promise<string>;
}

export interface GaugeSource extends Omit<CounterSource, 'totals'> {
  values(): Promise<Readonly<Record<string, number>>>;
}

const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/**
 * Once in a process, whose metrics these are. Observing the garbage collection never ends, so a
 * registry with more in it would outlive the server that it belongs to.
 */
const processRegistry = createProcessRegistry();

function createProcessRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Gauges with the names of counters; each has a sibling with the same numbers by type.
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const requests = new Histogram({
    name: 'fieldwatch_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['operation', 'status'],
    buckets: DURATION_BUCKETS,
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
    addGauge({ name, help, label, values }) {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        async collect() {
          // What cannot be found out is left out, so that the rest can still be read.
          const found = await values().catch(() => ({}));
          this.reset();
          for (const [value, size] of Object.entries(found)) this.set({ [label]: value }, size);
        },
      });
    },
    addDuration({ name, help }) {
      const histogram = new Histogram({
        name,
        help,
        buckets: DURATION_BUCKETS,
        registers: [registry],
      });
      return (seconds) => histogram.observe(seconds);
    },
    async text() {
      const pages = [processRegistry, registry].map((each) => each.metrics());
      return (await Promise.all(pages)).join('\n');
    },
  };
}
