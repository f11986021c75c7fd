import type { Log } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { Stream } from '../stream/index.ts';
import { type Asked, filterOf, type OwnedVariable } from '../stream/index.ts';
import { findVariables, listBoundVariables } from './store.ts';

/** Finds what streams asked for, and keeps up with what is bound to the Assets they name. */
export interface Bindings {
  /** Resolves when the stream has its filter. */
  follow(stream: Stream, asked: Asked): Promise<void>;
  forget(stream: Stream): void;
  /** Reads the bindings anew, if a stream depends on them. */
  refresh(): void;
}

interface Followed {
  readonly asked: Asked;
  readonly named: readonly OwnedVariable[];
}

export interface BindingsDeps {
  readonly storage: Storage;
  readonly log: Log;
}

export function createBindings({ storage, log }: BindingsDeps, organizationId: string): Bindings {
  const followed = new Map<Stream, Followed>();
  let running: Promise<unknown> = Promise.resolve();
  let queued: Promise<void> | null = null;

  async function read(): Promise<void> {
    const assetIds = new Set([...followed.values()].flatMap(({ asked }) => asked.assetIds));
    const bound = await listBoundVariables(storage, organizationId, [...assetIds]);
    for (const [stream, { asked, named }] of followed) {
      stream.setFilter(filterOf(asked, named, bound));
    }
  }

  /** One after the other, so that no older state comes last; who asks while one waits shares it. */
  function readSoon(): Promise<void> {
    queued ??= running.then(() => {
      queued = null;
      const reading = read();
      running = reading.catch(() => undefined);
      return reading;
    });
    return queued;
  }

  return {
    async follow(stream, asked) {
      const named = await findVariables(storage, organizationId, asked.variableIds);
      if (asked.assetIds.length === 0) {
        stream.setFilter(filterOf(asked, named, []));
        return;
      }
      followed.set(stream, { asked, named });
      await readSoon();
    },
    forget(stream) {
      followed.delete(stream);
    },
    refresh() {
      if (followed.size === 0) return;
      readSoon().catch((error: unknown) => {
        log.debug({ err: error }, 'the bindings of live streams could not be read; later again');
      });
    },
  };
}
