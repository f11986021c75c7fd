import { chmod, readdir, stat } from 'node:fs/promises';

/** What a server leaves in its data directory. */
const TRACES: readonly string[] = ['postgres', 'secret.key'];
const STICKY = 0o1000;

/**
 * Takes from others what `allowed` does not give them, in a data directory that is ours: of our
 * user, not shared by design as /tmp is, and empty or with traces of a server.
 */
export async function makePrivate(path: string, allowed: number): Promise<void> {
  const uid = process.getuid?.();
  const found = await stat(path).catch(() => null);
  if (uid === undefined || !found?.isDirectory() || found.uid !== uid) return;
  if ((found.mode & STICKY) !== 0 || (found.mode & 0o777 & ~allowed) === 0) return;
  const names = await readdir(path);
  if (names.length > 0 && !names.some((name) => TRACES.includes(name))) return;
  await chmod(path, found.mode & allowed);
}
