export { compareText, isObject, isSame, type JsonObject } from './json.ts';
export {
  type ConfigRecord,
  deviceKeyOf,
  FIELDS,
  type FieldSpec,
  type Fields,
  type Json,
  KINDS,
  KINDS_FOR_USERS,
  type Kind,
  MANAGED,
  nameOf,
  ONLINE_KEY,
  type Referable,
  type Reference,
} from './kinds.ts';
export { filePath, normalized, type Resolve, toApi, toFields } from './translate.ts';
