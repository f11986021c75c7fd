import type { ClientConfig } from 'pg';
import type { Service } from '../compose/index.ts';

/** What the supervisor says to a process. */
export type ToProcess =
  | { readonly kind: 'START'; readonly number: number; readonly target: ClientConfig | null }
  /** PostgreSQL was started again, maybe elsewhere. */
  | { readonly kind: 'STORAGE'; readonly target: ClientConfig }
  | { readonly kind: 'READ_METRICS'; readonly request: number }
  | {
      readonly kind: 'METRICS';
      readonly request: number;
      readonly texts: readonly (readonly [number, string])[];
    };

/** What a process says to the supervisor. */
export type FromProcess =
  /** Messages before this one would be lost. */
  | { readonly kind: 'LISTENING' }
  | { readonly kind: 'READY'; readonly service: Omit<Service, 'stop'> }
  | { readonly kind: 'NOT_STARTED'; readonly reasons: readonly string[] }
  /** Asks for the metrics of all processes. */
  | { readonly kind: 'GATHER_METRICS'; readonly request: number }
  | { readonly kind: 'OWN_METRICS'; readonly request: number; readonly text: string };
