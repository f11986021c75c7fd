import { Table, Text } from '@mantine/core';
import { useLatest, useLiveValue } from '../../live/index.ts';
import { useDistinctNames } from '../../references/index.ts';
import type { Variable } from '../../service/index.ts';
import { strings } from '../../strings/index.ts';
import { Loading, readingText, SeverityBadge } from '../../ui/index.ts';
import { useSelectedVariables } from '../../variable-charts/index.ts';
import { LiveReading, LiveReadingTime } from '../../variables/index.ts';
import { RecordLink } from '../record-link.tsx';
import { severityOf } from '../thresholds.ts';
import type { Settings } from '../widget.ts';
import { useThresholds } from './widget-data.ts';
import { Message, Unconfigured } from './widget-message.tsx';
import classes from './widgets.module.css';

const words = strings.dashboards.widget;

interface Shown {
  readonly variables: readonly Variable[];
  /** What to show in place of the Variables; null when they can be shown. */
  readonly instead: React.ReactNode;
}

/** The Variables of a widget with names that tell them apart. */
export function useShownVariables({ variableIds, classificationTypes }: Settings): Shown {
  const selected = useSelectedVariables(variableIds);
  const variables = useDistinctNames(selected.variables);
  useLatest(variableIds);
  if (variableIds.length === 0) {
    const isTemplate = classificationTypes.length > 0;
    const instead = isTemplate ? <Message>{words.unresolved}</Message> : <Unconfigured />;
    return { variables, instead };
  }
  if (variables.length > 0) return { variables, instead: null };
  return {
    variables,
    instead: selected.isPending ? <Loading rows={2} /> : <Message isFailure>{words.gone}</Message>,
  };
}

/** The newest values of several Variables as bars on one scale. */
export function BarWidget({ settings }: { settings: Settings }) {
  const { variables, instead } = useShownVariables(settings);
  const thresholdsOf = useThresholds(settings.variableIds, settings);
  if (instead) return instead;
  const numbers = variables.filter(({ type }) => type === 'NUMBER');
  if (numbers.length === 0) return <Message>{words.numbersOnly}</Message>;
  return (
    <ul className={`${classes.bars} ${classes.scroll}`}>
      {numbers.map((variable) => (
        <Bar
          key={variable.id}
          variable={variable}
          settings={settings}
          thresholds={thresholdsOf(variable.id)}
        />
      ))}
    </ul>
  );
}

interface BarProps {
  readonly variable: Variable;
  readonly settings: Settings;
  readonly thresholds: Settings['thresholds'];
}

function Bar({ variable, settings, thresholds }: BarProps) {
  const live = useLiveValue(variable.id);
  const { min = 0, max = 100, decimals } = settings;
  const value = typeof live?.value === 'number' ? live.value : null;
  const severity = value === null ? null : severityOf(value, thresholds);
  const share = value === null ? 0 : Math.min(1, Math.max(0, (value - min) / (max - min || 1)));
  return (
    <li>
      <div className={classes.barHead}>
        <Text size="sm" truncate>
          <RecordLink to={`/variables/${variable.id}`}>{variable.name}</RecordLink>
        </Text>
        <Text size="sm" fw={650} className="tabular">
          {severity ? <SeverityBadge severity={severity} /> : null}{' '}
          {value === null ? strings.ui.noValue : readingText(value, variable.unit, decimals)}
        </Text>
      </div>
      <div className={classes.bar} aria-hidden>
        <div data-severity={severity ?? undefined} style={{ width: `${share * 100}%` }} />
      </div>
    </li>
  );
}

/** The newest values of several Variables, a line each. */
export function TableWidget({ settings }: { settings: Settings }) {
  const { variables, instead } = useShownVariables(settings);
  if (instead) return instead;
  return (
    <div className={classes.scroll}>
      <Table aria-label={strings.dashboards.types.TABLE} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.variable}</Table.Th>
            <Table.Th scope="col">{words.value}</Table.Th>
            <Table.Th scope="col">{words.time}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {variables.map((variable) => (
            <Table.Tr key={variable.id}>
              <Table.Td>
                <RecordLink to={`/variables/${variable.id}`}>{variable.name}</RecordLink>
              </Table.Td>
              <Table.Td>
                <LiveReading
                  variable={variable}
                  {...(settings.decimals === undefined ? {} : { decimals: settings.decimals })}
                />
              </Table.Td>
              <Table.Td>
                <LiveReadingTime variableId={variable.id} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
