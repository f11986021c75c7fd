import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure, invalid } from '../runtime/index.ts';
import { hasMoreValues } from './json-size.ts';

const UTF8_JSON = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

/** Values of objects and arrays in one body, at every depth. */
const MAX_BODY_VALUES = 20_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it was sent, empty when there was none or it was decoded from its bytes. */
    bodyText: string;
    /** The body is what `DecodeBody` returned. */
    isBodyDecoded: boolean;
  }
  interface FastifyContextConfig {
    decodeBody?: DecodeBody;
    /** The text of a form is kept, for a route that reads it. */
    readsForms?: boolean;
  }
}

/**
 * Decodes a valid body of an operation from its bytes. Undefined for a body of another form, which is
 * parsed and checked as usual.
 */
export type DecodeBody = (bytes: Buffer) => object | undefined;

const MAX_FORM_BYTES = 16 * 1024;

/** Forms are for the operations that take them, of which few look into them; others refuse them unread. */
function takeForm(
  request: FastifyRequest,
  payload: Readable,
  done: (error: Error | null, body?: undefined) => void,
): void {
  const { operation, readsForms = false } = request.routeOptions.config;
  if (!operation?.takesForms) {
    done(new Failure('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON in UTF-8.'));
    return;
  }
  let bytes = 0;
  const chunks: Buffer[] = [];
  const onData = (chunk: Buffer) => {
    bytes += chunk.length;
    if (readsForms) chunks.push(chunk);
    if (bytes <= MAX_FORM_BYTES) return;
    payload.off('data', onData);
    payload.resume();
    done(new Failure('BODY_TOO_LARGE', `The body may have at most ${MAX_FORM_BYTES} bytes.`));
  };
  payload.on('data', onData);
  payload.once('error', done);
  payload.once('end', () => {
    if (bytes > MAX_FORM_BYTES) return;
    request.bodyText = Buffer.concat(chunks).toString();
    done(null);
  });
}

const PROTOBUF = 'application/x-protobuf';

/** For the operations that take it, compressed by Snappy, as Prometheus sends it. */
function decodeProtobuf(
  request: FastifyRequest,
  bytes: Buffer,
  done: (error: Error | null, body?: object) => void,
): void {
  const { operation, decodeBody } = request.routeOptions.config;
  if (operation?.bodyMediaType !== PROTOBUF) {
    done(new Failure('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON in UTF-8.'));
    return;
  }
  if (request.headers['content-encoding']?.toLowerCase() !== 'snappy') {
    done(new Failure('UNSUPPORTED_MEDIA_TYPE', 'The body must be compressed by Snappy.'));
    return;
  }
  const decoded = decodeBody?.(bytes);
  if (decoded === undefined) done(malformedBody('is not Protocol Buffers compressed by Snappy'));
  else done(null, decoded);
}

/**
 * Accepts `application/json` in UTF-8, and other types where an operation takes them. An empty body
 * counts as none.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  const refusing = app.getDefaultJsonParser('error', 'error');
  const taking = app.getDefaultJsonParser('ignore', 'ignore');
  app.decorateRequest('bodyText', '');
  app.decorateRequest('isBodyDecoded', false);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(['application/x-www-form-urlencoded', 'multipart/form-data'], takeForm);
  app.addContentTypeParser(PROTOBUF, { parseAs: 'buffer' }, decodeProtobuf);
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, bytes: Buffer, done) => {
      const { operation, decodeBody } = request.routeOptions.config;
      if (operation?.bodyMediaType !== undefined) {
        const reason = `The body must be ${operation.bodyMediaType}.`;
        done(new Failure('UNSUPPORTED_MEDIA_TYPE', reason));
        return;
      }
      if (!UTF8_JSON.test(request.headers['content-type'] ?? '')) {
        done(new Failure('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON in UTF-8.'));
        return;
      }
      if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
        done(new Failure('UNSUPPORTED_MEDIA_TYPE', 'The body must not be compressed.'));
        return;
      }
      if (bytes.length === 0) {
        done(null, undefined);
        return;
      }
      const decoded = decodeBody?.(bytes);
      if (decoded !== undefined) {
        request.isBodyDecoded = true;
        done(null, decoded);
        return;
      }
      // Replacing what is not UTF-8 would change what the caller sent.
      if (!isUtf8(bytes)) {
        done(malformedBody('is not UTF-8'));
        return;
      }
      // Readings come by the thousand, and are counted where they are decoded.
      if (operation?.effect !== 'ingest' && hasMoreValues(bytes, MAX_BODY_VALUES)) {
        done(invalid({ path: 'body', message: `must hold at most ${MAX_BODY_VALUES} values` }));
        return;
      }
      const text = bytes.toString();
      request.bodyText = text;
      // A key of readings is a path and may be any; their decoder takes it for nothing else.
      const parse = operation?.effect === 'ingest' ? taking : refusing;
      void parse(request, text, (error, body) => {
        if (error) done(isJson(text) ? forbiddenKey() : malformedBody('is not valid JSON'));
        else done(null, body);
      });
    },
  );
}

export function malformedBody(message: string): Failure {
  const errors = [{ path: 'body', message }];
  return new Failure('MALFORMED_BODY', `The body ${message}.`, { errors });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The parser refuses what could reach the prototype of every object. */
function forbiddenKey(): Failure {
  return invalid({
    path: 'body',
    message: 'must not have a key __proto__ or constructor.prototype',
  });
}
