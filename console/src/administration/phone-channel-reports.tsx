import { Select, Stack, Text, TextInput } from '@mantine/core';
import type { PhoneChannel } from '../service/index.ts';
import { phoneChannels as words } from '../strings/index.ts';
import { CopyField, Dialog, type ServerForm } from '../ui/index.ts';
import type { Values } from './phone-channel-values.ts';

/** What the service reports, and in which fields. */
export function ReportFields({ form }: { form: ServerForm<Values>['form'] }) {
  return (
    <>
      {form.values.kind === 'SMS' ? (
        <>
          <TextInput
            label={words.replyFrom}
            description={words.replyHint}
            {...form.getInputProps('replies.fromField')}
          />
          <TextInput label={words.replyText} {...form.getInputProps('replies.textField')} />
        </>
      ) : null}
      <TextInput
        label={words.receiptStatus}
        description={words.receiptHint}
        {...form.getInputProps('receipts.statusField')}
      />
      {form.values.receipts.statusField === '' ? null : (
        <>
          <TextInput
            label={words.receiptDelivered}
            description={words.separated}
            {...form.getInputProps('receipts.delivered')}
          />
          <TextInput
            label={words.receiptFailed}
            description={words.separated}
            {...form.getInputProps('receipts.failed')}
          />
          <TextInput
            label={words.receiptId}
            description={words.receiptIdHint}
            {...form.getInputProps('receipts.idField')}
          />
        </>
      )}
      <Select
        label={words.signature}
        description={words.signatureHint}
        data={Object.entries(words.signatures).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        {...form.getInputProps('signature')}
      />
    </>
  );
}

interface AddressProps {
  readonly channel: PhoneChannel;
  readonly onClose: () => void;
}

/** The address that people enter at their service. */
export function ReplyAddress({ channel, onClose }: AddressProps) {
  return (
    <Dialog isOpen onClose={onClose} title={words.replyAddressTitle(channel.name)} size="lg">
      <Stack gap="sm">
        <Text size="sm">{channel.replyUrl === null ? words.noReplyUrl : words.replyUrlHint}</Text>
        {channel.replyUrl === null ? null : (
          <CopyField label={words.replyUrl} value={channel.replyUrl} />
        )}
      </Stack>
    </Dialog>
  );
}
