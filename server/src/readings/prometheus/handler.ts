import { MAX_EXPOSED_VARIABLES, type Operations } from '@fieldwatch/contract';
import type { Handler } from '../../http/index.ts';
import { Failure, isUuid } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import { requireComplete } from '../incomplete.ts';
import type { Readings } from '../readings.ts';
import { exposition } from './exposition.ts';
import { listExposed } from './store.ts';

export interface PrometheusDeps {
  readonly storage: Queries;
  readonly readings: Pick<Readings, 'latest'>;
  /** How long a Device counts as online after it was last seen, unless it has a time of its own. */
  readonly onlineMinutes: number;
  readonly maxVariables?: number;
}

/**
 * The latest values for Prometheus. A value that is too old is left out, so that a gap is a gap: the
 * format has no other way to say that nothing is known.
 */
export function createPrometheusHandler(
  deps: PrometheusDeps,
): Handler<Operations['listPrometheusValues']> {
  const { storage, readings, onlineMinutes, maxVariables = MAX_EXPOSED_VARIABLES } = deps;
  return async ({ params: { organizationId }, query }, { now }) => {
    const { assetIds, classificationTypes, maxAgeSeconds } = query;
    const selection = {
      assetIds: assetIds?.filter(isUuid) ?? null,
      classificationTypes: classificationTypes ?? null,
    };
    const variables = await listExposed(storage, organizationId, selection, maxVariables + 1);
    if (variables.length > maxVariables) {
      throw new Failure(
        'CONFLICT',
        `These are more than ${maxVariables} Variables: select some by assetIds or classificationTypes.`,
      );
    }
    const { values, isIncomplete } = await readings.latest(variables);
    requireComplete({ isIncomplete });
    const exposed = variables.flatMap((variable, index) => {
      const latest = values[index];
      const maxAgeMs = (maxAgeSeconds ?? (variable.onlineMinutes ?? onlineMinutes) * 60) * 1_000;
      return latest && latest.at >= now - maxAgeMs ? [{ ...variable, value: latest.value }] : [];
    });
    return { body: exposition(exposed) };
  };
}
