/** Knows the `Authorization` header of the moment. */
export interface Authorizer {
  /** Undefined when there is nothing to show. */
  header(): Promise<string | undefined>;
  /** Another header in place of one that the service refused; undefined when there is none. */
  renew(refused: string): Promise<string | undefined>;
  /** Ends what can be ended. Afterwards nothing is shown any more. */
  end(): Promise<void>;
}
