import { operations } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import { callFactsOf } from '../call-facts.ts';

describe('the facts by which the console calls an operation', () => {
  it('are its address, its access, its kind of reply, and whether it takes a query and a body', () => {
    expect(callFactsOf(operations.createToken)).toEqual({
      id: 'createToken',
      method: 'POST',
      path: '/auth/v1/token',
      access: { kind: 'anyone' },
      usesCookie: true,
      body: {},
      reply: { status: 200, body: {} },
    });
    expect(callFactsOf(operations.listUsers)).toMatchObject({ query: {}, reply: { body: {} } });
    expect(callFactsOf(operations.deleteUser).reply).toEqual({ status: 204 });
  });

  it('name a stream of events as one', () => {
    const streams = Object.values(operations).filter(({ reply }) => 'events' in reply);
    expect(streams.map(callFactsOf).map(({ reply }) => reply.events)).toEqual(
      streams.map(() => ({})),
    );
    expect(streams.length).toBeGreaterThan(0);
  });
});
