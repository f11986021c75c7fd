import type { Operations } from '@fieldwatch/contract';
import type { Handler } from '../../http/index.ts';
import type { Storage } from '../../storage/index.ts';
import { countAll } from './store.ts';

/** What an organization has, in a few figures. */
export interface Overview {
  readonly retrieve: Handler<Operations['retrieveOverview']>;
}

export function createOverview({ storage }: { readonly storage: Storage }): Overview {
  return {
    async retrieve({ params: { organizationId } }) {
      return { body: await countAll(storage, organizationId) };
    },
  };
}
