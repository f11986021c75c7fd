import Type from 'typebox';

/** How a refusal words an address that is none of a broker. */
export const BROKER_URL_RULE = 'must be an mqtt or mqtts URL of a host, without credentials';

export function brokerUrl(description: string) {
  return Type.String({
    maxLength: 500,
    pattern: '^[Mm][Qq][Tt][Tt][Ss]?://[^\\s/?#@\\\\]+/?$',
    'x-messages': { pattern: BROKER_URL_RULE },
    description,
    examples: ['mqtts://broker.example.com'],
  });
}
