import {
  type FieldError,
  WEBHOOK_FORMAT_FIELDS,
  WEBHOOK_PLACEHOLDERS,
  type WebhookFormat,
  type WebhookTemplate,
} from '@fieldwatch/contract';
import { templateErrors } from '../template/index.ts';

/** The format of a webhook with its further fields. */
export interface FormatFields {
  readonly format: WebhookFormat;
  readonly destination: string | null;
  readonly hasCredential: boolean;
  readonly template: WebhookTemplate | null;
}

/** What is missing for a format, and what it does not use. */
export function formatErrors(fields: FormatFields): FieldError[] {
  const { format, destination, hasCredential, template } = fields;
  const isGiven = {
    destination: destination !== null,
    credential: hasCredential,
    template: template !== null,
  };
  const uses = WEBHOOK_FORMAT_FIELDS[format];
  const errors = (['destination', 'credential', 'template'] as const).flatMap((path) => {
    const isMissing = uses[path] === 'REQUIRED' && !isGiven[path];
    if (isMissing) return [{ path, message: `is required for the format ${format}` }];
    const isUnused = uses[path] === 'UNUSED' && isGiven[path];
    return isUnused ? [{ path, message: `is not used by the format ${format}` }] : [];
  });
  if (errors.length > 0 || template === null) return errors;
  const { body, contentType } = template;
  const placeholders = WEBHOOK_PLACEHOLDERS;
  return templateErrors(body, { path: 'template.body', contentType, placeholders });
}
