import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { Failure } from './failure.ts';

/*
 * Spans of OpenTelemetry. Without an SDK, which the operator loads into the process, every function
 * here does nothing. Attributes carry counts, names and ids, never a payload, a secret or the text of
 * an error.
 */

const TRACER = 'fieldwatch';

export interface SpanOptions {
  readonly kind?: 'SERVER' | 'CLIENT' | 'INTERNAL';
  readonly attributes?: Attributes;
  /** The headers of a request that may name its trace; otherwise the active span is the parent. */
  readonly headers?: IncomingHeaders;
  /** Begins a trace of its own, with a link to the active span. */
  readonly isRoot?: boolean;
}

type IncomingHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A unit of work that has begun. */
export interface OpenSpan {
  /** Whether its attributes are recorded, so that they are worth computing. */
  readonly isRecording: boolean;
  set(attributes: Attributes): void;
  /** Runs work whose spans are children of this one. */
  within<T>(work: () => T): T;
  /** Ends it; an error is named by its code or type alone. */
  end(error?: unknown): void;
}

export function startSpan(name: string, options: SpanOptions = {}): OpenSpan {
  const active = context.active();
  const parent = options.headers ? parentIn(options.headers) : active;
  const linked = options.isRoot ? trace.getSpanContext(active) : undefined;
  const span = trace.getTracer(TRACER).startSpan(
    name,
    {
      kind: SpanKind[options.kind ?? 'INTERNAL'],
      root: options.isRoot ?? false,
      ...(options.attributes ? { attributes: options.attributes } : {}),
      ...(linked ? { links: [{ context: linked }] } : {}),
    },
    parent,
  );
  return openSpan(span, parent);
}

/** Runs work in a span. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, options);
  try {
    const result = await span.within(() => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** The headers by which the receiver of a request continues the trace. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

function openSpan(span: Span, parent: Context): OpenSpan {
  return {
    isRecording: span.isRecording(),
    set: (attributes) => void span.setAttributes(attributes),
    within: (work) => context.with(trace.setSpan(parent, span), work),
    end(error) {
      if (error !== undefined) {
        span.setAttribute('error.type', errorType(error));
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

function parentIn(headers: IncomingHeaders): Context {
  return propagation.extract(ROOT_CONTEXT, headers);
}

function errorType(error: unknown): string {
  if (typeof error === 'string') return error;
  if (error instanceof Failure) return error.code;
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
}
