import { CofferError, createCofferClient, type Inputs, type Outputs } from '@coffer/client';
import { noteActivity } from './activity.ts';
import { notingFetch } from './reach.ts';
import { store } from './store.ts';
import { texts } from './texts.ts';

export type CurrentUser = Outputs['account']['me']['user'];

/** What the console knows of its user. The access token is in this module's memory only. */
export type Session =
  | { readonly state: 'loading' }
  | { readonly state: 'signed-out'; readonly why?: 'expired' | 'locked' }
  /** Idle for too long: what was revealed is gone, and the password is asked for again. */
  | { readonly state: 'locked'; readonly user: CurrentUser; readonly organizationId: string }
  /** Signed in, and still to choose an organization. */
  | { readonly state: 'choosing'; readonly user: CurrentUser }
  | { readonly state: 'signed-in'; readonly user: CurrentUser; readonly organizationId: string };

export const session = store<Session>({ state: 'loading' });

const url = globalThis.location?.origin ?? 'http://localhost';
let accessToken: string | undefined;
let renewing: Promise<string | undefined> | undefined;

/** Calls with a token that nothing replaces. */
const clientOf = (token?: string) => createCofferClient({ url, fetch: notingFetch, token });

/** Calls without a token: signing in, and what anyone may ask. */
export const anonymous = clientOf();

/** Calls as the user. A rejected token is replaced by the refresh cookie, once. */
export const coffer = createCofferClient({
  url,
  fetch: notingFetch,
  token: {
    token: async () => {
      const token = accessToken ?? (await renew());
      if (token === undefined) throw signedOut();
      return token;
    },
    refused: (token) => {
      if (accessToken === token) accessToken = undefined;
      return true;
    },
  },
});

/**
 * Any call to the server, with a token of the user; without a session, or if a token is given, with that one. Cookies are not
 * sent. A rejected token of the session is replaced once.
 */
export async function fetchAsUser(path: string, init: RequestInit, given?: string): Promise<Response> {
  const own = session.get().state === 'signed-in' && given === undefined;
  const send = (token: string | undefined) => {
    const headers = new Headers(init.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    return notingFetch(path, { ...init, headers, credentials: 'omit' });
  };
  const answer = await send(own ? (accessToken ?? (await renew())) : given);
  if (answer.status !== 401 || !own) return answer;
  accessToken = undefined;
  return send(await renew());
}

/** A request as the user for what is no JSON. A rejected token is replaced once. */
export async function requestAsUser(path: string): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const token = accessToken ?? (await renew());
    if (token === undefined) throw signedOut();
    const response = await notingFetch(path, { headers: { authorization: `Bearer ${token}` } });
    if (response.status !== 401 || attempt === 2) return response;
    if (accessToken === token) accessToken = undefined;
  }
}

const signedOut = () =>
  new CofferError({
    status: 401,
    code: 'UNAUTHORIZED',
    reason: 'client.signed_out',
    message: texts.yourSessionHasEnded,
  });

/** Other tabs of this browser: they sign out together, and take over a session that one of them has begun. */
const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('coffer-session');
tabs?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (data === 'signed-out') {
    leave();
    for (const clean of whenSignedOut) clean();
  }
  if (data === 'locked') showLock();
  if (data === 'signed-in' && ['signed-out', 'locked'].includes(session.get().state)) start().catch(() => undefined);
});

/**
 * A new access token by the refresh cookie; `undefined` if there is no session any more, and in a locked console. One tab at a
 * time renews: the cookie is replaced each time.
 */
async function renew(): Promise<string | undefined> {
  if (session.get().state === 'locked') return undefined;
  renewing ??= inTurn(async () => {
    try {
      const { token, organizationId } = await refresh();
      const shown = await asShown(token, organizationId);
      // It was locked meanwhile, and may be unlocked again.
      return session.get().state === 'locked' ? accessToken : (accessToken = shown);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { state } = session.get();
      if (state === 'signed-in' || state === 'choosing') leave('expired');
      return undefined;
    }
  }).finally(() => (renewing = undefined));
  return renewing;
}

/**
 * A token for who and what this tab shows: another tab may have signed in somebody else since, or chosen another organization,
 * with the same cookie. For another user the page begins anew.
 */
async function asShown(token: string, organizationId: string | null): Promise<string | undefined> {
  const now = session.get();
  if (now.state !== 'signed-in') return token;
  const renewed = createCofferClient({ url, token });
  const { user } = await renewed.account.me.query();
  if (user.id !== now.user.id) {
    location.reload();
    return undefined;
  }
  if (organizationId === now.organizationId) return token;
  return (await renewed.sessions.selectOrganization.mutate({ organizationId: now.organizationId })).token;
}

/** By the refresh cookie, which is replaced. */
const refresh = () => anonymous.sessions.refresh.mutate({});

const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
  navigator.locks ? (navigator.locks.request('coffer-refresh', work) as Promise<T>) : work();

const isRefusal = (error: unknown): boolean =>
  error instanceof CofferError && error.status >= 400 && error.status < 500 && error.status !== 429;

/**
 * Whether a session may be there: scripts cannot see its cookie. Without a sign of one, nothing is asked for.
 */
const SIGN = 'coffer-session';
/** Set while the console is locked: a reload does not unlock it. */
const LOCKED = 'coffer-locked';
const isLockedHere = (): boolean => localStorage.getItem(LOCKED) !== null;
/** For a tab that showed no organization yet. */
const LOCKED_OUT: Session = { state: 'signed-out', why: 'locked' };

/** Continues the session of the refresh cookie, if there is one. @throws CofferError if the server cannot be reached. */
export async function start(): Promise<void> {
  if (localStorage.getItem(SIGN) === null) return session.set({ state: 'signed-out' });
  if (isLockedHere()) return session.set(LOCKED_OUT);
  const refreshed = await inTurn(refresh).catch((error: unknown) => {
    if (isRefusal(error)) return undefined;
    throw error;
  });
  if (!refreshed) return session.set({ state: 'signed-out' });
  // Another tab may have locked it meanwhile.
  if (isLockedHere()) return session.set(LOCKED_OUT);
  accessToken = refreshed.token;
  await enter(refreshed.organizationId);
}

/** @throws CofferError 401 for a wrong address or password. */
export async function signIn(email: string, password: string): Promise<void> {
  const { accessToken: token } = await anonymous.sessions.logIn.mutate({ email, password });
  await begin(token, null);
}

/** Continues with the session that a call has opened: its refresh cookie is there. */
export async function begin(token: string, organizationId: string | null): Promise<void> {
  accessToken = token;
  localStorage.setItem(SIGN, 'here');
  localStorage.removeItem(LOCKED);
  noteActivity();
  await enter(organizationId);
  tabs?.postMessage('signed-in');
}

/** Makes the access token one of the session of the refresh cookie: another tab may have begun another session. */
export async function joinCookie(): Promise<void> {
  accessToken = undefined;
  await renew();
}

/**
 * Changes the password, and continues in the session that it opens: the former one ends. No tab uses the refresh cookie
 * meanwhile.
 *
 * @throws CofferError 401 for a wrong password.
 */
export async function changePassword(change: Inputs['account']['changePassword']): Promise<void> {
  // With a token that is accepted: none can be renewed in the turn.
  await coffer.account.me.query();
  const token = accessToken;
  if (token === undefined) throw signedOut();
  await inTurn(async () => {
    accessToken = (await clientOf(token).account.changePassword.mutate(change)).token;
  });
}

/**
 * Selects the organization of the session: the one of a locked console, or the wished one, or the only one. Where another user
 * was locked out, the page begins anew.
 */
async function enter(wished: string | null): Promise<void> {
  const before = session.get();
  const [{ user }, { organizations }] = await Promise.all([
    coffer.account.me.query(),
    coffer.account.organizations.query(),
  ]);
  const isLocked = before.state === 'locked';
  if (isLocked && before.user.id !== user.id) return location.reload();
  const shown = isLocked ? before.organizationId : wished;
  const found =
    organizations.find(({ id }) => id === shown) ?? (organizations.length === 1 ? organizations[0] : undefined);
  if (!found) return show({ state: 'choosing', user });
  await select(user, found.id);
}

async function select(user: CurrentUser, organizationId: string): Promise<void> {
  const { token } = await coffer.sessions.selectOrganization.mutate({ organizationId });
  accessToken = token;
  show({ state: 'signed-in', user, organizationId });
}

/** Shows what was loaded, unless the console was locked meanwhile. */
function show(loaded: Session): void {
  session.set(loaded);
  if (isLockedHere()) showLock();
}

/** Another organization of the same user. */
export async function chooseOrganization(organizationId: string): Promise<void> {
  const now = session.get();
  if (now.state !== 'choosing' && now.state !== 'signed-in') return;
  await select(now.user, organizationId);
}

/** Called when the user signs out here, or in another tab: what they left in this browser goes, too. */
export const whenSignedOut = new Set<() => void>();

/** @throws CofferError if the server cannot be reached: the session is still open then. */
export async function signOut(): Promise<void> {
  try {
    // By the token or by the refresh cookie, of which either may have ended; a locked console has no token.
    await inTurn(() => clientOf(accessToken).sessions.logOut.mutate());
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  tabs?.postMessage('signed-out');
  leave();
  for (const clean of whenSignedOut) clean();
}

/** Locks an idle session, in all tabs: nothing uses it before the password. */
export function lock(): void {
  if (localStorage.getItem(SIGN) === null) return;
  if (!isLockedHere()) {
    localStorage.setItem(LOCKED, 'here');
    tabs?.postMessage('locked');
  }
  showLock();
}

const isOpen = (): boolean => ['signed-in', 'choosing'].includes(session.get().state);

function showLock(): void {
  if (!isOpen()) return;
  const now = session.get();
  accessToken = undefined;
  session.set(
    now.state === 'signed-in' ? { state: 'locked', user: now.user, organizationId: now.organizationId } : LOCKED_OUT,
  );
}

function leave(why?: 'expired'): void {
  accessToken = undefined;
  localStorage.removeItem(SIGN);
  localStorage.removeItem(LOCKED);
  session.set({ state: 'signed-out', ...(why && { why }) });
}
