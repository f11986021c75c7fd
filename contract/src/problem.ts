import Type, { type Static } from 'typebox';
import { ERROR_CODES } from './errors.ts';
import { closed, oneOf } from './schema.ts';

/** RFC 9457 problem details: the one shape of every failure. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'Reference to the explanation of the code' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'What went wrong with this request, in a sentence' }),
    code: oneOf(ERROR_CODES),
    requestId: Type.String({ description: 'Also in the X-Request-Id header and in the log' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            path: Type.String({
              description: 'The field: `name`, `configuration.subBand`, `ids[3]`',
            }),
            message: Type.String(),
          },
          closed,
        ),
        { description: 'Every invalid field, for 400' },
      ),
    ),
  },
  closed,
);

export type Problem = Static<typeof Problem>;

/** One bad field and why. */
export type FieldError = NonNullable<Problem['errors']>[number];
