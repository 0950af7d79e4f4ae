import { CofferError, type CofferClient } from '@coffer/client';

export interface Who {
  readonly type: 'user' | 'identity' | 'service token';
  readonly id: string;
  readonly name: string;
}

/** Whose token a client has; nobody's, if it is not accepted. @throws CofferError if the server does not answer. */
export async function whoIs(client: CofferClient): Promise<Who | undefined> {
  return (
    (await accepted(async () => {
      const { user } = await client.account.me.query();
      return { type: 'user', id: user.id, name: user.username };
    })) ??
    (await accepted(async () => {
      const { identity } = await client.identities.own.query();
      return { type: 'identity', id: identity.id, name: identity.name };
    })) ??
    (await accepted(async () => {
      const { id, name } = await client.serviceTokens.own.query();
      return { type: 'service token', id, name };
    }))
  );
}

async function accepted(ask: () => Promise<Who>): Promise<Who | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CofferError && error.status >= 400 && error.status < 500) return undefined;
    throw error;
  }
}
