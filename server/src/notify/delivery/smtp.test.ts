import { connect, createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSmtp, type SmtpServer as TestSmtpServer } from '../../../test/support/smtp.ts';
import { SMTP_LIMITS, type SmtpMessage, sendBySmtp } from './smtp.ts';

let smtp: TestSmtpServer;
let claims: number;

beforeAll(async () => {
  smtp = await startSmtp();
});
afterAll(() => smtp.stop());
beforeEach(() => {
  claims = 0;
  smtp.letters.length = 0;
  smtp.answerContent(250);
  smtp.refuse(null);
});

const serverAt = (url: string) => ({ host: '127.0.0.1', port: Number(new URL(url).port) });

function send(given: Partial<SmtpMessage> = {}, limits = {}) {
  const message: SmtpMessage = {
    from: 'from@example.org',
    to: 'to@example.org',
    content: Buffer.from('Subject: One\r\n\r\nText\r\n'),
    claim: async () => {
      claims += 1;
      return true;
    },
    signal: new AbortController().signal,
    ...given,
  };
  return sendBySmtp(serverAt(smtp.url), message, { ...SMTP_LIMITS, ...limits });
}

describe('a message by SMTP', () => {
  it('is claimed once and accepted with the answer of the server', async () => {
    expect(await send()).toEqual({ kind: 'ACCEPTED', response: '250 so be it' });
    expect([claims, smtp.letters.length]).toEqual([1, 1]);
    await expect.poll(smtp.openConnections).toBe(0);
  });

  it('is not claimed when the recipient is refused', async () => {
    smtp.refuse(550);
    expect(await send()).toMatchObject({ kind: 'NOT_SENT', error: { responseCode: 550 } });
    expect([claims, smtp.letters.length]).toEqual([0, 0]);
  });

  it.each([
    ['is not granted', async () => false],
    [
      'cannot be recorded',
      async () => {
        throw new Error('no storage');
      },
    ],
  ])('does not leave when the claim %s', async (_, claim) => {
    expect(await send({ claim })).toEqual({ kind: 'NOT_CLAIMED' });
    await expect.poll(smtp.openConnections).toBe(0);
    expect(smtp.letters).toEqual([]);
  });

  it('that the server refuses after its content is known not to be sent', async () => {
    smtp.answerContent(452);
    expect(await send()).toMatchObject({ kind: 'NOT_SENT', error: { responseCode: 452 } });
  });

  it('has an unknown outcome when the connection ends before the answer to its content', async () => {
    smtp.answerContent('CLOSE');
    expect(await send()).toMatchObject({ kind: 'UNKNOWN' });
    expect(smtp.letters).toHaveLength(1);
  });

  it('has an unknown outcome when no answer to its content comes in time, and its connection ends', async () => {
    smtp.answerContent('NONE');
    expect(await send({}, { contentMs: 50 })).toMatchObject({
      kind: 'UNKNOWN',
      error: { code: 'ETIMEDOUT' },
    });
    await expect.poll(smtp.openConnections).toBe(0);
  });

  it('is given up before its content, with its connection, when the server stops', async () => {
    const stopping = new AbortController();
    const claim = async () => {
      claims += 1;
      return true;
    };
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const accepted = new Promise<void>((resolve) => silent.once('connection', () => resolve()));
    const sending = sendBySmtp(
      { host: '127.0.0.1', port },
      { from: 'a@b', to: 'c@d', content: Buffer.from(''), claim, signal: stopping.signal },
      SMTP_LIMITS,
    );
    await accepted;
    stopping.abort();
    expect(await sending).toMatchObject({ kind: 'NOT_SENT', error: { code: 'interrupted' } });
    expect(claims).toBe(0);
    await new Promise((resolve) => silent.close(resolve));
  });

  it('whose content has left is waited for a little when the server stops', async () => {
    const stopping = new AbortController();
    smtp.answerContent('NONE');
    const sending = send({ signal: stopping.signal });
    await expect.poll(() => smtp.letters.length).toBe(1);
    stopping.abort();
    smtp.answerContent(250);
    expect(await sending).toMatchObject({ kind: 'ACCEPTED' });
  });

  it('that is given up leaves nothing behind that completes it later', async () => {
    let release: (granted: boolean) => void = () => undefined;
    const claim = () =>
      new Promise<boolean>((resolve) => {
        release = resolve;
      });
    const sending = send({ claim }, { envelopeMs: 50 });
    expect(await sending).toMatchObject({ kind: 'UNKNOWN' });
    release(true);
    await expect.poll(smtp.openConnections).toBe(0);
    expect(smtp.letters).toEqual([]);
  });

  it('has the limits of RFC 5321', () => {
    const minute = 60_000;
    expect(SMTP_LIMITS).toMatchObject({
      setupMs: 5 * minute,
      envelopeMs: 5 * minute,
      contentMs: 13 * minute,
    });
  });

  it('to a server that refuses connections is known not to be sent', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => closed.once('listening', resolve));
    const { port } = closed.address() as { port: number };
    await new Promise((resolve) => closed.close(resolve));
    const probe = connect(port, '127.0.0.1').on('error', () => undefined);
    await new Promise((resolve) => probe.once('close', resolve));
    const message = {
      from: 'a@b',
      to: 'c@d',
      content: Buffer.from(''),
      claim: async () => true,
      signal: new AbortController().signal,
    };
    expect(await sendBySmtp({ host: '127.0.0.1', port }, message, SMTP_LIMITS)).toMatchObject({
      kind: 'NOT_SENT',
      error: { code: 'ECONNREFUSED' },
    });
  });
});
