/** What was found out about a machine and its installation, before it is judged. */
export interface Facts {
  readonly nowMs: number;
  readonly unknownSettings: readonly string[];
  readonly isRoot: boolean;
  readonly memoryBytes: number;
  /** Null where the system does not say. */
  readonly maxOpenFiles: number | null;
  readonly dataDir: DirectoryFacts;
  readonly ports: readonly PortFacts[];
  readonly certificates: readonly CertificateFacts[];
  /** Null where Devices connect to the server itself. */
  readonly broker: BrokerFacts | null;
  readonly database: DatabaseState;
}

export interface DirectoryFacts {
  readonly path: string;
  readonly problem: string | null;
  readonly freeBytes: number | null;
}

export interface PortFacts {
  readonly setting: string;
  readonly port: number;
  readonly state: 'FREE' | 'USED' | 'OWN' | 'FORBIDDEN' | 'NO_SUCH_ADDRESS';
  /** The process that uses it, where the system says. */
  readonly holder: string | null;
}

export interface CertificateFacts {
  readonly setting: string;
  /** Why the files cannot be used. */
  readonly problem: string | null;
  readonly startsAt: number | null;
  readonly expiresAt: number | null;
}

export interface BrokerFacts {
  /** Without credentials. */
  readonly address: string;
  /** Why it cannot be used. */
  readonly problem: string | null;
}

export type DatabaseState =
  /** No server has started here. */
  | { readonly kind: 'MISSING'; readonly secretProblem: string | null }
  | { readonly kind: 'UNREACHABLE'; readonly problem: string; readonly isEmbedded: boolean }
  | {
      readonly kind: 'REACHED';
      readonly version: string;
      readonly encoding: string;
      /** The newest applied migration; null for an empty database. */
      readonly migration: number | null;
      readonly deviationMs: number;
      readonly migrationProblem: string | null;
      readonly pendingMigrations: number;
      readonly secretProblem: string | null;
    };
