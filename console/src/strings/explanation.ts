import type { NotificationReasonCode } from '@fieldwatch/contract';

/** The facts of a reason as texts; those that it does not have are empty. */
interface Facts {
  readonly name: string;
  readonly address: string;
  readonly channel: string;
  readonly severities: string;
  readonly step: string;
  readonly time: string;
  readonly actor: string;
  readonly error: string;
}

type Sentence = (facts: Facts) => string;

const reasons: Readonly<Record<NotificationReasonCode, Sentence>> = {
  INVITATION_OPEN: () => 'Has not accepted the invitation yet, so nothing is sent.',
  ALARM_SHELVED: () => 'The Alarm was shelved when the event was raised: nobody is notified.',
  QUEUED: () => 'The notification is queued and leaves within seconds.',
  WAITING_FOR_DEVICES_ABOVE: ({ time }) =>
    `Waits until ${time}: a Device above may be offline too.`,
  HELD_BY_MAINTENANCE: ({ name }) => `Held back during maintenance: ${name}.`,
  HELD_BY_TEST: ({ name }) => `Held back during a test: ${name}.`,
  HELD_BY_TOPOLOGY: ({ name }) => `Held back: ${name}.`,
  CLEARED_WHILE_HELD: ({ name }) =>
    `Held back (${name}), and cleared before that ended: nothing was sent.`,
  RELEASED: ({ name }) => `Was held back for a while (${name}).`,
  NO_ALARM_GROUP: () => 'The Alarm has no alarm group, so only browsers are notified.',
  ALARM_GROUP_DELETED: () => 'The alarm group of the event was deleted.',
  IN_ALARM_GROUP: ({ name, address }) => `The alarm group ${name} notifies ${address}.`,
  FOLLOWS_ALARM_GROUP: ({ name }) => `This person follows the alarm group ${name}.`,
  NOT_IN_ALARM_GROUP: ({ name }) => `This person is no recipient of the alarm group ${name}.`,
  SEVERITY_NOT_WANTED: ({ name, address, severities }) =>
    `The alarm group ${name} notifies ${address} of ${severities} only.`,
  BROWSER: ({ name }) => `Notifications are turned on in the browser ${name}.`,
  BROWSER_SEVERITY_NOT_WANTED: ({ name, severities }) =>
    `The browser ${name} is notified of ${severities} only.`,
  NO_ESCALATION_POLICY: ({ name }) =>
    `The alarm group ${name} has no escalation policy, so nobody is paged.`,
  NO_PAGE: ({ name }) =>
    `The alarm group has the escalation policy ${name}, but this event was not paged: it is older than that.`,
  PAGE: ({ name }) => `The event is paged by the escalation policy ${name}.`,
  PAGED_AT_STEP: ({ step, time }) => `Paged at step ${step}, ${time}.`,
  ON_CALL_AT_STEP: ({ name, step, time }) => `On call in ${name} at step ${step}, ${time}.`,
  OTHER_ON_CALL: ({ name, step, time }) =>
    `Somebody else was on call in ${name} at step ${step}, ${time}.`,
  NOBODY_ON_CALL: ({ name, step, time }) =>
    `Nobody was on call in ${name} at step ${step}, ${time}.`,
  REASSIGNED: ({ time }) => `The page was reassigned to this person, ${time}.`,
  STEP_PENDING: ({ step, time }) =>
    time === ''
      ? `Would be paged at step ${step}, if nobody acknowledges before.`
      : `Is paged at step ${step}, ${time}, if nobody acknowledges before.`,
  ACKNOWLEDGED_BEFORE_STEP: ({ step, actor, time }) =>
    `Would have been paged at step ${step}, but ${actor || 'somebody'} acknowledged before, ${time}.`,
  RESOLVED_BEFORE_STEP: ({ step, time }) =>
    `Would have been paged at step ${step}, but the page was resolved before, ${time}.`,
  SUPPRESSED_BEFORE_STEP: ({ step }) =>
    `Would be paged at step ${step}, but the page is suppressed: maintenance or a Device above that is offline explains its events.`,
  NOT_IN_ESCALATION_POLICY: ({ name }) =>
    `The escalation policy ${name} names this person in no step, and no rota of it did at that time.`,
  OWN_RULES_NONE: ({ severities }) => `Chose no messages for ${severities} in their own rules.`,
  METHOD_NOT_VERIFIED: ({ address }) => `${address} is not verified, so it is not used.`,
  NO_VERIFIED_METHOD: ({ address }) =>
    `Has no verified contact method, so mail goes to ${address} alone.`,
  HELD_BY_QUIET_HOURS: ({ time }) => `Quiet hours hold messages until ${time}.`,
  NO_MAIL_SERVER: () => 'No mail server is configured, so mail cannot be sent.',
  DELIVERED: ({ channel, address, time }) => `${channel} to ${address} delivered, ${time}.`,
  DELIVERY_PENDING: ({ channel, address, time, error }) =>
    `${channel} to ${address} due ${time}${error ? `, after: ${error}` : ''}.`,
  DELIVERY_FAILED: ({ channel, address, time, error }) =>
    `${channel} to ${address} failed, ${time}${error ? `: ${error}` : ''}.`,
  DELIVERY_CANCELLED: ({ channel, address }) =>
    `${channel} to ${address} was not sent: the page was acknowledged or resolved before.`,
  DELIVERIES_EXPIRED: () => 'Deliveries are kept for 30 days; those of this event are deleted.',
};

/** A file of its own, since one page alone needs these texts. */
export const explanation = {
  title: 'Who was notified, and why',
  person: 'Person',
  outcomes: {
    NOTIFIED: 'Notified',
    PENDING: 'Not yet',
    NOT_NOTIFIED: 'Not notified',
  },
  channels: {
    EMAIL: 'Mail',
    WEBHOOK: 'Message',
    WEB_PUSH: 'Notification',
    SMS: 'SMS',
    VOICE: 'Call',
  },
  open: 'Open',
  and: (all: string, last: string) => `${all} and ${last}`,
  reasons,
} as const;
