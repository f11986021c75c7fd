import { ERROR_CODES } from '@fieldwatch/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codePoint } from '../../../test/support/code-point.ts';
import { Failure } from '../../runtime/index.ts';
import { decodeFailure, encodeFailure } from './failure-codec.ts';

const fieldErrors = fc.array(fc.record({ path: fc.string(), message: fc.string() }));

const failures = fc
  .record({
    code: fc.constantFrom(...ERROR_CODES),
    message: fc.string({ unit: codePoint }),
    retryAfterSeconds: fc.option(fc.nat(), { nil: undefined }),
    errors: fc.option(fieldErrors, { nil: undefined }),
  })
  .map(
    ({ code, message, retryAfterSeconds, errors }) =>
      new Failure(code, message, {
        cause: new Error('internal'),
        keepsWrites: true,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
        ...(errors && { errors }),
      }),
  );

it('a failure that was encoded is decoded with its public fields, and without its cause', () => {
  fc.assert(
    fc.property(failures, (failure) => {
      const decoded = decodeFailure(encodeFailure(failure));
      const { code, message, retryAfterSeconds, errors } = failure;
      expect(decoded).toMatchObject({ code, message });
      expect(decoded.retryAfterSeconds).toBe(retryAfterSeconds);
      expect(decoded.errors).toEqual(errors);
      expect(decoded.cause).toBeUndefined();
      expect(decoded.keepsWrites).toBe(false);
    }),
  );
});

it('bytes that are no failure are decoded as one without details', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        fc.json().map((text) => Buffer.from(text)),
        fc
          .constantFrom('toString', '__proto__', 'NO_SUCH')
          .map((code) => Buffer.from(JSON.stringify({ code, message: 'x' }))),
      ),
      (bytes) => {
        expect(decodeFailure(bytes)).toMatchObject({
          code: 'INTERNAL',
          message: 'Another node failed unexpectedly.',
        });
      },
    ),
  );
});
