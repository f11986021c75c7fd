import { createClient, FieldwatchError } from '@fieldwatch/client';

/** Makes viewers of all editors, and lists whom somebody else edited at the same time. */
export async function lowerEditors(baseUrl: string, organizationId: string): Promise<string[]> {
  const client = createClient({
    baseUrl,
    credentials: { email: 'ann@example.com', password: 'correct horse battery' },
  });
  const skipped: string[] = [];
  const { items } = await client.listUsers({ organizationId, query: { roles: ['EDITOR'] } });
  for (const { id: userId, email } of items) {
    const { etag } = await client.request('retrieveUser', { organizationId, userId });
    try {
      await client.updateUser(
        { organizationId, userId, body: { role: 'VIEWER' } },
        etag === null ? {} : { ifMatch: etag },
      );
    } catch (error) {
      const edited = error instanceof FieldwatchError && error.code === 'PRECONDITION_FAILED';
      if (!edited) throw error;
      skipped.push(email);
    }
  }
  await client.signOut();
  return skipped;
}
