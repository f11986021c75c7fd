import { setTimeout as sleep } from 'node:timers/promises';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type SmtpServer, startSmtp } from '../support/smtp.ts';
import { type Gateway, startGateway } from './gateway.ts';

/** The outside world: a webhook receiver and a mail server, both slow when they are asked to be. */
export interface Receivers {
  readonly webhook: Receiver;
  readonly mail: SmtpServer;
  readonly env: Readonly<Record<string, string>>;
  /** Mail is acknowledged only after this time, webhooks are answered after it. */
  slowDown(durationMs: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startReceivers(): Promise<Receivers> {
  const webhook = await startReceiver();
  const mail = await startSmtp();
  let mailDelayMs = 0;
  const gateway: Gateway = await startGateway({
    target: () => Number(new URL(mail.url).port),
    // The answer to the end of DATA: the letter is taken, and whoever sent it does not know.
    answerDelayMs: (bytes) => (bytes.includes('250 so be it') ? mailDelayMs : 0),
  });
  return {
    webhook,
    mail,
    env: {
      FIELDWATCH_SMTP_URL: `smtp://127.0.0.1:${gateway.port}`,
      FIELDWATCH_MAIL_FROM: 'torture@example.com',
      FIELDWATCH_PUBLIC_URL: 'http://torture.example.com',
    },
    async slowDown(durationMs) {
      mailDelayMs = durationMs * 4;
      webhook.answer(null);
      await sleep(durationMs);
      webhook.answer(200);
      mailDelayMs = 0;
    },
    async stop() {
      await gateway.stop();
      await mail.stop();
      await webhook.stop();
    },
  };
}
