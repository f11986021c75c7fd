import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import type { PortFacts } from './facts.ts';

const STATES: Readonly<Record<string, PortFacts['state']>> = {
  EADDRINUSE: 'USED',
  EACCES: 'FORBIDDEN',
  EADDRNOTAVAIL: 'NO_SUCH_ADDRESS',
  ENOTFOUND: 'NO_SUCH_ADDRESS',
};

/** Listens for a moment. */
export async function examinePort(
  setting: string,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<PortFacts> {
  const code = await new Promise<string | null>((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
  const state = code === null ? 'FREE' : (STATES[code] ?? 'USED');
  return { setting, port, state, holder: state === 'USED' ? holderOf(port) : null };
}

const LISTENING = '0A';

/** The sockets that listen on a port, of the kernel's list: `… address:port … state … inode`. */
function socketsOn(port: number): Set<string> {
  const sockets = new Set<string>();
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(file, 'utf8').split('\n').slice(1)) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      const isPort = Number.parseInt(local.split(':')[1] ?? '', 16) === port;
      if (isPort && state === LISTENING && inode) sockets.add(`socket:[${inode}]`);
    }
  }
  return sockets;
}

/** The process that listens on a port; null where the system does not say, or not to this user. */
function holderOf(port: number): string | null {
  try {
    const sockets = socketsOn(port);
    const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holdsAny(name, sockets));
    if (pid === undefined) return null;
    const command = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    return `${command} (process ${pid})`;
  } catch {
    return null;
  }
}

function holdsAny(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) =>
      sockets.has(linkOf(`/proc/${pid}/fd/${fd}`)),
    );
  } catch {
    return false;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
