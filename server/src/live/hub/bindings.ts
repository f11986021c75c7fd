import type { Log } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { Stream } from '../stream/index.ts';
import { filterOf, type OwnedVariable, type StreamSelection } from '../stream/index.ts';
import { findVariables, listBoundVariables } from './store.ts';

/** Resolves the selections of streams, and follows the bindings of their Assets. */
export interface Bindings {
  /** Resolves when the stream has its filter. */
  follow(stream: Stream, selection: StreamSelection): Promise<void>;
  unfollow(stream: Stream): void;
  /** Reloads the bindings, if a stream depends on them. */
  refresh(): void;
}

interface Followed {
  readonly selection: StreamSelection;
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
    const assetIds = new Set([...followed.values()].flatMap(({ selection }) => selection.assetIds));
    const bound = await listBoundVariables(storage, organizationId, [...assetIds]);
    for (const [stream, { selection, named }] of followed) {
      stream.setFilter(filterOf(selection, named, bound));
    }
  }

  /** Loads run one after the other, so that an older state never wins; concurrent calls share one. */
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
    async follow(stream, selection) {
      const named = await findVariables(storage, organizationId, selection.variableIds);
      if (selection.assetIds.length === 0) {
        stream.setFilter(filterOf(selection, named, []));
        return;
      }
      followed.set(stream, { selection, named });
      await readSoon();
    },
    unfollow(stream) {
      followed.delete(stream);
    },
    refresh() {
      if (followed.size === 0) return;
      readSoon().catch((error: unknown) => {
        log.debug({ err: error }, 'could not read the bindings of live streams; will retry');
      });
    },
  };
}
