import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { Codecs } from './codecs.ts';

export function codecRoutes(serve: Serve, codecs: Codecs): void {
  serve(operations.listCodecs, codecs.list);
  serve(operations.retrieveCodec, codecs.retrieve);
  serve(operations.createCodec, codecs.create);
  serve(operations.updateCodec, codecs.update);
  serve(operations.deleteCodec, codecs.delete);
  serve(operations.tryCodec, codecs.try);
}
