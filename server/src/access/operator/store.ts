import { foldEmail } from '../../runtime/index.ts';
import { run, sql, type Transaction } from '../../storage/index.ts';

export interface Account {
  readonly id: string;
  readonly email: string;
}

/** The user of an email, once no other request works on them. */
export async function lockUserByEmail(tx: Transaction, email: string): Promise<Account | null> {
  const [row] = await run<Account>(
    tx,
    sql`select id, email from users where email_folded = ${foldEmail(email)} for update`,
  );
  return row ?? null;
}

/** The operator answers for the email and the password. */
export async function saveOperatorPassword(
  tx: Transaction,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await run(
    tx,
    sql`update users set password_hash = ${passwordHash}, password_origin = 'OPERATOR'
        where id = ${userId}`,
  );
}
