import type { PhoneChannel } from './phone-channels.ts';

/** The settings of a channel that are the same for all customers of a service. */
export interface PhonePreset
  extends Pick<
    PhoneChannel,
    | 'kind'
    | 'method'
    | 'url'
    | 'headers'
    | 'contentType'
    | 'body'
    | 'successText'
    | 'replies'
    | 'receipts'
    | 'signature'
  > {
  readonly name: string;
  /** What the credential is made of. */
  readonly credential: string;
}

const FORM = 'application/x-www-form-urlencoded';
const JSON_BODY = 'application/json';
const BASIC = [{ name: 'Authorization', value: 'Basic {{basic}}' }];

type Reported = Pick<PhonePreset, 'replies' | 'receipts' | 'signature'>;

/** Of a service that reports nothing, or of which it is not known what it reports. */
const SILENT: Reported = { replies: null, receipts: null, signature: 'NONE' };

const post = (
  contentType: PhonePreset['contentType'],
  body: string,
): Pick<PhonePreset, 'kind' | 'method' | 'contentType' | 'body'> & Reported => ({
  ...SILENT,
  ...{ kind: 'SMS', method: 'POST', contentType, body },
});

const get: Omit<PhonePreset, 'name' | 'url' | 'successText' | 'credential'> = {
  ...SILENT,
  ...{ kind: 'SMS', method: 'GET', contentType: FORM, body: null, headers: [] },
};

export const PHONE_PRESETS: readonly PhonePreset[] = [
  {
    name: 'Twilio',
    ...post(FORM, 'To={{to}}&From={{from}}&Body={{text}}%20{{link}}&StatusCallback={{receiptUrl}}'),
    url: 'https://api.twilio.com/2010-04-01/Accounts/{{user}}/Messages.json',
    headers: BASIC,
    successText: null,
    replies: { fromField: 'From', textField: 'Body' },
    receipts: {
      ...{ statusField: 'MessageStatus', delivered: ['delivered'] },
      failed: ['undelivered', 'failed'],
    },
    signature: 'TWILIO',
    credential: 'Account SID:auth token',
  },
  {
    name: 'Twilio, calls',
    ...post(FORM, 'To={{to}}&From={{from}}&Twiml={{twiml}}&StatusCallback={{receiptUrl}}'),
    kind: 'VOICE',
    url: 'https://api.twilio.com/2010-04-01/Accounts/{{user}}/Calls.json',
    headers: BASIC,
    successText: null,
    receipts: {
      ...{ statusField: 'CallStatus', delivered: ['completed'] },
      failed: ['busy', 'no-answer', 'failed', 'canceled'],
    },
    signature: 'TWILIO',
    credential: 'Account SID:auth token',
  },
  {
    name: 'Vonage',
    ...post(
      FORM,
      'api_key={{user}}&api_secret={{password}}&from={{from}}&to={{digits}}&type=unicode&text={{text}}%20{{link}}&callback={{receiptUrl}}',
    ),
    url: 'https://rest.nexmo.com/sms/json',
    headers: [],
    successText: '"status":"0"',
    replies: { fromField: 'msisdn', textField: 'text' },
    receipts: {
      ...{ statusField: 'status', delivered: ['delivered'] },
      failed: ['expired', 'failed', 'rejected'],
    },
    credential: 'API key:API secret',
  },
  {
    name: 'Sinch',
    ...post(
      JSON_BODY,
      '{"from":"{{from}}","to":["{{digits}}"],"body":"{{text}} {{link}}","delivery_report":"per_recipient","callback_url":"{{receiptUrl}}"}',
    ),
    url: 'https://eu.sms.api.sinch.com/xms/v1/{{user}}/batches',
    headers: [{ name: 'Authorization', value: 'Bearer {{password}}' }],
    successText: null,
    receipts: {
      ...{ statusField: 'status', delivered: ['Delivered'] },
      failed: ['Aborted', 'Cancelled', 'Rejected', 'Deleted', 'Failed', 'Expired'],
    },
    credential: 'Service plan id:API token',
  },
  {
    name: 'MessageBird',
    ...post(
      FORM,
      'originator={{from}}&recipients={{digits}}&datacoding=auto&body={{text}}%20{{link}}&reference={{id}}&reportUrl={{receiptUrl}}',
    ),
    url: 'https://rest.messagebird.com/messages',
    headers: [{ name: 'Authorization', value: 'AccessKey {{credential}}' }],
    successText: null,
    receipts: {
      ...{ statusField: 'status', delivered: ['delivered'] },
      failed: ['delivery_failed', 'expired'],
    },
    credential: 'Access key',
  },
  {
    name: '46elks',
    ...post(
      FORM,
      'from={{from}}&to={{to}}&message={{text}}%20{{link}}&whendelivered={{receiptUrl}}',
    ),
    url: 'https://api.46elks.com/a1/sms',
    headers: BASIC,
    successText: null,
    replies: { fromField: 'from', textField: 'message' },
    receipts: { statusField: 'status', delivered: ['delivered'], failed: ['failed'] },
    credential: 'API username:API password',
  },
  {
    name: 'seven',
    ...post(FORM, 'from={{from}}&to={{digits}}&text={{text}}%20{{link}}'),
    url: 'https://gateway.seven.io/api/sms',
    headers: [
      { name: 'X-Api-Key', value: '{{credential}}' },
      { name: 'Accept', value: 'application/json' },
    ],
    successText: '"success":"100"',
    credential: 'API key',
  },
  {
    name: 'sipgate',
    ...post(JSON_BODY, '{"smsId":"{{from}}","recipient":"{{to}}","message":"{{text}} {{link}}"}'),
    url: 'https://api.sipgate.com/v2/sessions/sms',
    headers: BASIC,
    successText: null,
    credential: 'Token id:token',
  },
  {
    name: 'ClickSend',
    ...post(
      JSON_BODY,
      '{"messages":[{"source":"fieldwatch","from":"{{from}}","to":"{{to}}","body":"{{text}} {{link}}","custom_string":"{{receiptId}}"}]}',
    ),
    url: 'https://rest.clicksend.com/v3/sms/send',
    headers: BASIC,
    successText: '"status":"SUCCESS"',
    receipts: {
      ...{ idField: 'custom_string', statusField: 'status_code' },
      ...{ delivered: ['201'], failed: ['301'] },
    },
    credential: 'Username:API key',
  },
  {
    name: 'Teltonika router',
    ...get,
    url: 'http://192.168.1.1/cgi-bin/sms_send?username={{user}}&password={{password}}&number=00{{digits}}&text={{text}}',
    successText: 'OK',
    credential: 'User name:password of the SMS gateway',
  },
  {
    name: 'Gammu (sms-gammu-gateway)',
    ...post(JSON_BODY, '{"number":"{{to}}","text":"{{text}} {{link}}"}'),
    url: 'http://127.0.0.1:5000/sms',
    headers: BASIC,
    successText: null,
    credential: 'User name:password',
  },
  {
    name: 'Kannel',
    ...get,
    url: 'http://127.0.0.1:13013/cgi-bin/sendsms?username={{user}}&password={{password}}&from={{from}}&to={{to}}&coding=2&charset=UTF-8&text={{text}}%20{{link}}&dlr-mask=19&dlr-url={{receiptUrl}}%3Fstatus%3D%25d',
    successText: null,
    replies: { fromField: 'from', textField: 'text' },
    receipts: { statusField: 'status', delivered: ['1'], failed: ['2', '16'] },
    credential: 'User name:password',
  },
];
