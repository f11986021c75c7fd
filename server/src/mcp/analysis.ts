import { ALARM_OPERATORS } from '@fieldwatch/contract';
import Type from 'typebox';
import { closed, id, range } from './inputs.ts';
import { rangeOf, shownRange, type Tool, tool } from './tool.ts';

const DAY_MS = 24 * 3_600_000;
const STATISTICS_DAYS = 7;
const BACKTEST_DAYS = 30;

export const getAlarmStatistics: Tool = tool({
  name: 'get_alarm_statistics',
  title: 'Get alarm statistics',
  description:
    'Get alarm statistics (KPIs) of the organization for a time range: number of events, events per hour, by severity, the busiest ten minutes, the Alarms with the most events, chattering Alarms and those that have been open the longest. Use it to find which Alarms to tune.',
  input: Type.Object(range(`${STATISTICS_DAYS} days`), closed),
  async run(source, input) {
    const { client, organizationId } = source;
    const span = rangeOf(source, input, STATISTICS_DAYS * DAY_MS);
    const kpis = await client.retrieveAlarmKpis({ organizationId, query: span });
    const { longestStanding, mostFrequent, chattering, ...facts } = kpis;
    return {
      facts: { ...shownRange(span), ...facts },
      lists: { mostFrequent, longestStanding, chattering },
      advice: 'Ask for a shorter range.',
    };
  },
});

const seconds = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 900, description }));

export const backtestAlarm: Tool = tool({
  name: 'backtest_alarm',
  title: 'Backtest an alarm',
  description:
    'Calculate which events an Alarm with the given condition would have raised over the stored history of a Variable. Nothing is created or changed. Use it to propose a threshold, a delay or a deadband: compare the number of events of several calls.',
  input: Type.Object(
    {
      variableId: id('The Variable that the Alarm would watch'),
      operator: Type.Enum([...ALARM_OPERATORS], {
        description: 'How a value is compared with the threshold',
      }),
      threshold: Type.Unsafe<number | boolean | string>({
        type: ['number', 'boolean', 'string'],
        description: 'In the unit of the Variable; a number, true or false, or text, by its type',
      }),
      delaySeconds: seconds(
        'How long the condition must hold before an event is raised; 0 when left out',
      ),
      clearDelaySeconds: seconds(
        'How long the condition must fail before the event clears; 0 when left out',
      ),
      deadband: Type.Optional(
        Type.Number({
          minimum: 0,
          description: 'How far a value must return across the threshold before the event clears',
        }),
      ),
      ...range(`${BACKTEST_DAYS} days`),
    },
    closed,
  ),
  async run(source, { variableId, operator, threshold, ...input }) {
    const { client, organizationId } = source;
    const span = rangeOf(source, input, BACKTEST_DAYS * DAY_MS);
    const { deviceId, name, unit } = await client.retrieveVariable({ organizationId, variableId });
    const { events, triggeredMs, ...counts } = await client.backtestAlarm({
      organizationId,
      body: {
        name: 'Backtest',
        isActive: true,
        alarmGroupId: null,
        deviceId,
        deviceVariableId: variableId,
        operator,
        ...thresholdOf(threshold),
        delayProcessingSeconds: input.delaySeconds ?? null,
        clearDelaySeconds: input.clearDelaySeconds ?? null,
        deadband: input.deadband ?? null,
        ...span,
      },
    });
    return {
      facts: {
        variable: name,
        unit,
        ...shownRange(span),
        ...counts,
        triggeredSeconds: Math.round(triggeredMs / 1000),
      },
      lists: {
        events: events.map((event) => ({
          raisedTime: event.raisedDateTime,
          raisedValue: event.raisedValue,
          clearedTime: event.clearedDateTime,
          clearedValue: event.clearedValue,
        })),
      },
      advice: 'Ask for a shorter range; eventCount has the number of all events.',
    };
  },
});

function thresholdOf(threshold: number | boolean | string) {
  switch (typeof threshold) {
    case 'number':
      return { thresholdValueNumber: threshold };
    case 'boolean':
      return { thresholdValueBoolean: threshold };
    default:
      return { thresholdValueString: threshold };
  }
}
