import { encodeProtobuf } from '../../protobuf/index.ts';
import { shownAnswer } from '../../shown-answer.ts';
import { ProvisioningError, type RegistrarDeps, refusedToken } from '../registrar.ts';
import { callGrpc, GRPC, type GrpcAnswer } from './grpc-web.ts';

/** Codes with which a call ends that another attempt would not change. */
const FINAL_CODES: readonly number[] = [
  GRPC.INVALID_ARGUMENT,
  GRPC.NOT_FOUND,
  GRPC.ALREADY_EXISTS,
  GRPC.FAILED_PRECONDITION,
];

export const isRefusal = ({ code }: GrpcAnswer) =>
  code === GRPC.UNAUTHENTICATED || code === GRPC.PERMISSION_DENIED;

/** Calls of the interface of ChirpStack, and what their answers mean. */
export class Calls {
  readonly #deps: RegistrarDeps;
  /** What is registered, for messages. */
  readonly #what: 'sensor' | 'gateway';

  constructor(deps: RegistrarDeps, what: 'sensor' | 'gateway') {
    this.#deps = deps;
    this.#what = what;
  }

  send(method: string, fields: Parameters<typeof encodeProtobuf>[0]): Promise<GrpcAnswer> {
    return callGrpc(this.#deps, `/api.${method}`, encodeProtobuf(fields));
  }

  requireDone(answer: GrpcAnswer, secrets: readonly string[] = []): void {
    if (answer.code === GRPC.OK) return;
    if (isRefusal(answer)) throw refusedToken();
    const text = shownAnswer(answer.text, [this.#deps.token, ...secrets]);
    const isFinal = FINAL_CODES.includes(answer.code);
    const what = isFinal ? `refused the ${this.#what}` : `failed (${answer.code})`;
    throw new ProvisioningError(`The network server ${what}: ${text}`, isFinal);
  }
}
