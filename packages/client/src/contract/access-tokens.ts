// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { IssuedToken } from './shared.ts';

export interface AccessTokensApi {
  /** Renew an access token; the response contains the new token. `POST /api/v1/auth/token/renew`. Needs no token. */
  renew: Mutation<{ accessToken: string }, IssuedToken>;
  /** Revoke an access token. `POST /api/v1/auth/token/revoke`. Needs no token. */
  revoke: Mutation<{ accessToken: string }, { message: string }>;
}
