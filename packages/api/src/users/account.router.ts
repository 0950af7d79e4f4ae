import {
  ChangePassword,
  changePassword,
  DeleteMe,
  deleteMe,
  FavoritesRef,
  getFavorites,
  getMe,
  listOrganizations,
  Organization,
  RenameMe,
  renameMe,
  SetFavorites,
  setFavorites,
  User,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router, USERS } from '../kernel/index.ts';
import { dropSession, keepSession } from './refresh-cookie.ts';

const Nothing = z.object({});
const people = { actors: ['user'] } as const;

/** Legacy clients expect these names; such keys do not exist here. */
const keys = {
  clientPublicKey: null,
  serverPrivateKey: null,
  encryptionVersion: null,
  protectedKey: null,
  protectedKeyIV: null,
  protectedKeyTag: null,
  publicKey: null,
};
const Me = User.extend({
  clientPublicKey: z.string().nullable(),
  serverPrivateKey: z.string().nullable(),
  encryptionVersion: z.int().nullable(),
  protectedKey: z.string().nullable(),
  protectedKeyIV: z.string().nullable(),
  protectedKeyTag: z.string().nullable(),
  publicKey: z.string().nullable(),
});

export const accountRouter = router({
  me: procedure
    .meta(
      rest('GET', '/api/v2/users/me', 'member', 'Read the current user', { actors: USERS, aliases: ['/api/v1/user'] }),
    )
    .input(Nothing)
    .output(z.object({ user: Me }))
    .query(async ({ ctx }) => ({ user: { ...(await getMe(ctx)), ...keys } })),
  organizations: procedure
    .meta(
      rest('GET', '/api/v2/users/me/organizations', 'member', 'List the organizations of the current user', {
        actors: USERS,
      }),
    )
    .input(Nothing)
    .output(z.object({ organizations: z.array(Organization) }))
    .query(async ({ ctx }) => ({ organizations: await listOrganizations(ctx) })),
  rename: procedure
    .meta(rest('PATCH', '/api/v2/users/me/name', 'member', 'Change the name of the current user', people))
    .input(RenameMe)
    .output(z.object({ user: User }))
    .mutation(async ({ ctx, input }) => ({ user: await renameMe(ctx, input) })),
  changePassword: procedure
    .meta(
      rest(
        'POST',
        '/api/v2/password/user/password-reset',
        'member',
        'Change the password of the current user; ends all sessions and revokes all API keys',
        {
          ...people,
          description:
            'Also ends the session of the call, with its access tokens, and opens a new one: `token` is its access token, and the cookie `jid` has its refresh token.',
          strictlyLimited: true,
        },
      ),
    )
    .input(ChangePassword)
    .output(
      z.object({ token: z.string().describe('An access token of the new session, for the organization of the call') }),
    )
    .mutation(async ({ ctx, input }) => ({ token: keepSession(ctx, await changePassword(ctx, input)) })),
  delete: procedure
    .meta(
      rest('DELETE', '/api/v2/users/me', 'member', 'Delete the account of the current user', {
        ...people,
        strictlyLimited: true,
        description: 'Also needs the password, in the body.',
      }),
    )
    .input(DeleteMe)
    .output(z.object({ user: User }))
    .mutation(async ({ ctx, input }) => {
      const user = await deleteMe(ctx, input);
      dropSession(ctx);
      return { user };
    }),
  favorites: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/user/me/project-favorites',
        'member',
        'List the favorite projects of the current user',
        people,
      ),
    )
    .input(FavoritesRef)
    .output(z.object({ projectFavorites: z.array(z.string()) }))
    .query(async ({ ctx, input }) => ({ projectFavorites: await getFavorites(ctx, input) })),
  setFavorites: procedure
    .meta(
      rest(
        'PUT',
        '/api/v1/user/me/project-favorites',
        'member',
        'Set the favorite projects of the current user',
        people,
      ),
    )
    .input(SetFavorites)
    .output(Nothing)
    .mutation(async ({ ctx, input }) => {
      await setFavorites(ctx, input);
      return {};
    }),
});
