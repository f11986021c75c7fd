import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { parseChart } from '../charts/index.ts';
import { type Device, useFilters, useRead, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { lorawan, strings } from '../strings/index.ts';
import { attempt } from '../ui/index.ts';
import { ChartPanel } from '../variable-charts/index.ts';

const words = lorawan.radio;
const MAX_VARIABLES = 100;

/** The Variables that show how well a sensor is received, and with which spreading factor it sends. */
const CHARTED = [
  { topicPropertyPath: 'lorawan.snr', name: words.snr, unit: 'dB' },
  { topicPropertyPath: 'lorawan.spreadingFactor', name: words.spreadingFactor },
] as const;

/** Signal-to-noise ratio and spreading factor of a sensor over time. */
export function RadioChart({ device }: { device: Device }) {
  const { may } = useSession();
  const [choice, setChoice] = useFilters(parseChart);
  const create = useWrite('createVariable');
  const query = useRead('listDeviceVariables', {
    deviceId: device.id,
    query: { search: 'lorawan.', take: MAX_VARIABLES },
  });
  const variables = useMemo(() => {
    const byPath = new Map(query.data?.items.map((each) => [each.topicPropertyPath, each]));
    return CHARTED.flatMap(({ topicPropertyPath }) => byPath.get(topicPropertyPath) ?? []);
  }, [query.data]);
  const missing = CHARTED.filter(({ topicPropertyPath }) =>
    variables.every((each) => each.topicPropertyPath !== topicPropertyPath),
  );
  const createMissing = async () => {
    for (const each of missing) {
      const body = { ...each, type: 'NUMBER' as const, isLoggingEnabled: true };
      await create.mutateAsync({ deviceId: device.id, body });
    }
  };
  const isOffered = query.data !== undefined && missing.length > 0 && may('CreateVariable');
  return (
    <ChartPanel
      title={words.chart}
      variables={variables}
      isPending={query.isPending}
      choice={choice}
      onChoice={setChoice}
      height={220}
      {...(query.isPending ? {} : { empty: words.chartNone })}
      actions={
        isOffered ? (
          <Button
            size="compact-sm"
            variant="light"
            loading={create.isPending}
            onClick={() => void attempt(createMissing(), strings.ui.saved)}
          >
            {words.chartCreate}
          </Button>
        ) : null
      }
    />
  );
}
