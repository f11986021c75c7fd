import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../runtime/index.ts';

const UTF8_JSON = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it was sent, empty when there was none. */
    bodyText: string;
  }
}

/** Accepts `application/json` in UTF-8 and no other media type. An empty body counts as none. */
export function acceptJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.decorateRequest('bodyText', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, bytes: Buffer, done) => {
      if (!UTF8_JSON.test(request.headers['content-type'] ?? '')) {
        done(new Failure('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON in UTF-8.'));
        return;
      }
      if (bytes.length === 0) {
        done(null, undefined);
        return;
      }
      // Replacing what is not UTF-8 would change what the caller sent.
      if (!isUtf8(bytes)) {
        done(new Failure('MALFORMED_BODY', 'The body is not UTF-8.'));
        return;
      }
      request.bodyText = bytes.toString();
      parse(request, request.bodyText, (error, body) => {
        if (error) done(new Failure('MALFORMED_BODY', 'The body is not valid JSON.'));
        else done(null, body);
      });
    },
  );
}
