/** A reason not to start that the operator can mend: one sentence, naming the setting. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
