import type { AnyAuthMethod } from './auth-method.ts';
import { tokenAuth } from './methods/token-auth/index.ts';
import { universalAuth } from './methods/universal-auth/index.ts';

/** Every login method. To add one: write it in `methods/`, name it here and in the family's router. */
export const authMethods: readonly AnyAuthMethod[] = [universalAuth, tokenAuth];
