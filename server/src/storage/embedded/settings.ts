import { type Endpoint, isSocket } from './endpoint.ts';

/** The name under which a PostgreSQL shows which server started it. */
export const OWNER_SETTING = 'fieldwatch.owner';

/** Who started a PostgreSQL: a process, and which of its starts. */
export interface Owner {
  readonly pid: number;
  readonly start: string;
}

export function parseOwner(text: string | null | undefined): Owner | null {
  const [pid, start] = text?.split('/') ?? [];
  return Number(pid) && start ? { pid: Number(pid), start } : null;
}

/** Given on the command line, so that they hold whatever the files in the cluster say. */
export function serverSettings(
  endpoint: Endpoint,
  owner: Owner,
  processes: number,
): readonly string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: isSocket(endpoint) ? '' : endpoint.host,
    unix_socket_directories: isSocket(endpoint) ? endpoint.host : '',
    unix_socket_permissions: '0700',
    port: endpoint.port,
    [OWNER_SETTING]: `${owner.pid}/${owner.start}`,
    cluster_name: 'fieldwatch',

    // A commit that was reported is on the disk. Speed comes from batching, not from these.
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',

    // For a machine of two cores that has other work too; a process opens up to 16 connections.
    max_connections: Math.max(100, 40 + 20 * processes),
    // The cache of the operating system holds the rest; these pages stay in memory while idle.
    shared_buffers: '56MB',
    // Nothing is replicated into this cluster, and the process that would start it takes a megabyte.
    max_logical_replication_workers: 0,
    max_wal_size: '1GB',
    wal_compression: 'on',
    // Compiling a plan costs more than the short statements of this service take.
    jit: 'off',
    // Until a table that grew is analyzed again, plans are made for a small one.
    autovacuum_naptime: '15s',
    // A statement of a server that was killed ends soon, and with it the locks that it holds.
    client_connection_check_interval: '2s',

    TimeZone: 'UTC',
    log_timezone: 'UTC',
    DateStyle: 'ISO',

    // Standard error is piped into the server's log. Statements and details quote values of rows,
    // which do not belong there; the error itself reaches the client of the statement.
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: '',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
