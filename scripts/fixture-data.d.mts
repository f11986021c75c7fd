export const settings: Readonly<Record<`FIELDWATCH_${Suffix}`, string>>;

type Suffix =
  | 'SECRET_KEY'
  | 'ORGANIZATION_ID'
  | 'ADMIN_EMAIL'
  | 'ADMIN_PASSWORD'
  | 'API_KEY_ID'
  | 'API_KEY_SECRET'
  | 'REQUESTS_PER_MINUTE'
  | 'OUTBOUND_ALLOW';
