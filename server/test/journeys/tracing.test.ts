import { operations } from '@fieldwatch/contract';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alarmBench } from '../support/alarms.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { webhookCalls } from '../support/webhook-calls.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';
const SECRET = 'a value that nobody else may see';

const exporter = new InMemorySpanExporter();
let server: TestServer;
let receiver: Receiver;

beforeAll(async () => {
  const processor = new SimpleSpanProcessor(exporter);
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  receiver = await startReceiver();
  server = await startServer({ env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' } });
});

afterAll(async () => {
  await server.stop();
  await receiver.stop();
  for (const api of [trace, context, propagation]) api.disable();
});

beforeEach(() => exporter.reset());

const spansNamed = (name: string): ReadableSpan[] =>
  exporter.getFinishedSpans().filter((span) => span.name === name);

/** The span of this name, once it has ended. */
async function spanNamed(name: string): Promise<ReadableSpan> {
  await expect.poll(() => spansNamed(name).length, { timeout: 10_000 }).toBeGreaterThan(0);
  return spansNamed(name)[0] as ReadableSpan;
}

describe('a request with an SDK of OpenTelemetry in the process', () => {
  it('is a span of the trace that its header names, without its address', async () => {
    await server.call(operations.listDevices, {
      query: `search=${encodeURIComponent(SECRET)}`,
      headers: { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` },
    });
    const span = await spanNamed(`GET ${operations.listDevices.path}`);
    expect(span.spanContext().traceId).toBe(TRACE_ID);
    expect(span.parentSpanContext?.spanId).toBe(SPAN_ID);
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': operations.listDevices.path,
      'http.response.status_code': 200,
      'fieldwatch.request.id': expect.any(String),
    });
    expect(span.status.code).toBe(0);
    expect(JSON.stringify(span.attributes)).not.toContain(SECRET);
  });

  it('that is refused has its status and is no error of the server', async () => {
    await server.call(operations.retrieveDevice, { params: { deviceId: server.organizationId } });
    const span = await spanNamed(`GET ${operations.retrieveDevice.path}`);
    expect(span.attributes['http.response.status_code']).toBe(404);
    expect(span.status.code).toBe(0);
  });
});

describe('readings with an SDK of OpenTelemetry in the process', () => {
  it('are a batch with its commit, linked to the request, and their alarm is delivered', async () => {
    const bench = alarmBench(() => server);
    const { newWebhook, newGroup } = webhookCalls(() => server);
    const webhook = await newWebhook(receiver.url);
    const alarmGroupId = await newGroup([{ kind: 'WEBHOOK', webhookId: webhook.id }]);
    const watched = await bench.newVariable('STRING');
    const threshold = { operator: 'EQUAL', thresholdValueString: SECRET };
    await bench.create({ ...watched, ...threshold, alarmGroupId });
    const { deviceId, deviceVariableId: variableId } = watched;
    const variable = await server.call(operations.retrieveVariable, { params: { variableId } });
    exporter.reset();
    await server.call(operations.writeReadings, {
      params: { deviceId },
      body: { dataArray: [{ key: variable.body.topicPropertyPath, value: SECRET }] },
    });
    const request = await spanNamed(`POST ${operations.writeReadings.path}`);
    const batch = await spanNamed('ingest batch');
    const commit = await spanNamed('commit');
    expect(batch.attributes).toEqual({ 'fieldwatch.messages': 1 });
    expect(batch.parentSpanContext).toBeUndefined();
    expect(batch.links[0]?.context.traceId).toBe(request.spanContext().traceId);
    expect(commit.parentSpanContext?.spanId).toBe(batch.spanContext().spanId);
    expect(commit.attributes).toEqual({
      'db.system.name': 'postgresql',
      'fieldwatch.readings': 1,
    });

    const delivery = await spanNamed('deliver by webhook');
    const { traceId, spanId } = delivery.spanContext();
    expect(delivery.attributes).toEqual({
      'fieldwatch.delivery.id': receiver.received[0]?.headers['webhook-id'],
      'http.response.status_code': 200,
    });
    expect(receiver.received[0]?.headers.traceparent).toBe(`00-${traceId}-${spanId}-01`);
    const recorded = exporter.getFinishedSpans().map(({ name, attributes }) => [name, attributes]);
    expect(JSON.stringify(recorded)).not.toContain(SECRET);
    expect(JSON.stringify(recorded)).not.toContain(receiver.url);
  });
});
