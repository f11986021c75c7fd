import { stringify } from 'yaml';
import {
  type ConfigRecord,
  compareText,
  deviceKeyOf,
  type Fields,
  isObject,
  type Json,
  nameOf,
} from '../model/index.ts';
import { TOP_KINDS } from './files.ts';
import { environmentReference, escaped } from './substitution.ts';

/** The name of the file with the JSON Schema, beside the files of configuration. */
export const SCHEMA_FILE = 'fieldwatch.schema.json';
const HEADER = `# yaml-language-server: $schema=${SCHEMA_FILE}\n`;

/**
 * The records as one file: by kind, then by key, so that equal records give equal bytes. Texts such as
 * `no` are quoted, which tools with YAML 1.1 take for a boolean.
 */
export function printYaml(records: readonly ConfigRecord[]): string {
  const sorted = [...records].sort((one, other) => compareText(one.key, other.key));
  const top: Record<string, Json> = {};
  for (const kind of TOP_KINDS) {
    const ofKind = sorted.filter((record) => record.kind === kind);
    if (ofKind.length === 0) continue;
    top[kind] = mapOf(ofKind, (record) =>
      kind === 'devices' ? withVariables(record, sorted) : printedFields(record),
    );
  }
  const body = stringify(top, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  return HEADER + (sorted.length === 0 ? '' : body);
}

function mapOf(
  records: readonly ConfigRecord[],
  fieldsOf: (record: ConfigRecord) => Json,
): Record<string, Json> {
  return Object.fromEntries(
    records.map((record) => [record.key.slice(record.key.indexOf('/') + 1), fieldsOf(record)]),
  );
}

function withVariables(device: ConfigRecord, records: readonly ConfigRecord[]): Json {
  const own = records.filter(
    ({ kind, key }) => kind === 'variables' && deviceKeyOf(key) === device.key,
  );
  const fields = printedFields(device);
  return own.length === 0 ? fields : { ...fields, variables: mapOf(own, printedFields) };
}

function printedFields(record: ConfigRecord): Fields {
  const fields = escapedAll(record.fields) as Fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, withoutSecrets(record, name, value)]),
  );
}

function escapedAll(value: Json): Json {
  if (typeof value === 'string') return escaped(value);
  if (Array.isArray(value)) return value.map(escapedAll);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [escaped(key), escapedAll(inner)]),
  );
}

/** Secrets are no part of a file; the environment has them. */
function withoutSecrets(record: ConfigRecord, name: string, value: Json): Json {
  if (record.kind === 'webhooks' && name === 'url' && hasToken(String(value))) {
    return environmentReference(secretVariable(record, 'URL'));
  }
  if (record.kind === 'devices' && isObject(value) && 'appKey' in value) {
    return { ...value, appKey: environmentReference(secretVariable(record, 'APP_KEY')) };
  }
  return value;
}

/** Whether an address has a part that only those know who may use it. */
function hasToken(url: string): boolean {
  const { search = '', pathname = '' } = URL.canParse(url) ? new URL(url) : {};
  return search !== '' || pathname.split('/').some((part) => /^(?=.*\d)[\w-]{16,}$/.test(part));
}

function secretVariable(record: ConfigRecord, field: string): string {
  const name = nameOf(record).replaceAll(/[^A-Za-z0-9]+/g, '_');
  return `${name}_${field}`.toUpperCase();
}
