import { Alert, Text } from '@mantine/core';
import { useState } from 'react';
import { useWrite, type Webhook } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Dialog, FormBody, useServerForm } from '../ui/index.ts';

interface TestProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

interface Answer {
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: string | null;
}

const words = strings.administration.webhooks;

/** Sends a message at once, and shows how the receiver answered. */
export function WebhookTest({ webhook, onClose }: TestProps) {
  const test = useWrite('testWebhook');
  const [answer, setAnswer] = useState<Answer | null>(null);
  const serverForm = useServerForm({
    initialValues: {},
    send: async () => {
      setAnswer(null);
      setAnswer(await test.mutateAsync({ webhookId: webhook.id }));
    },
    doneMessage: null,
  });
  return (
    <Dialog isOpen onClose={onClose} title={words.testTitle(webhook.name)}>
      <FormBody serverForm={serverForm} action={words.testSend}>
        <Text size="sm">{words.testText}</Text>
        {webhook.format === 'PAGERDUTY' ? <Text size="sm">{words.testIncident}</Text> : null}
        {answer === null ? null : (
          <Alert color={answer.error === null ? 'green' : 'red'} role="status">
            {answer.error === null
              ? words.testAccepted(answer.status, answer.durationMs)
              : words.testRefused(answer.error, answer.durationMs)}
          </Alert>
        )}
      </FormBody>
    </Dialog>
  );
}
