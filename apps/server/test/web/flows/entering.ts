import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { issuePasswordReset } from '@coffer/domain';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PASSWORD, type ConsoleWorld } from '../harness.ts';
import { person } from '../people.ts';
import { sampleOf } from '../sample.ts';

const NEW_PASSWORD = 'another fine battery';
const VERIFIER = 'a-verifier-of-this-test-that-has-43-letters-~.';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const STATE = 'a-state-of-this-test';

/** What a command line may not ask for. */
const MALFORMED: readonly (readonly [what: string, query: string])[] = [
  ['a low port', 'callback_port=80'],
  ['another host', 'callback_port=8080@evil.example'],
  ['no number', 'callback_port=1e4'],
  ['a plain challenge', `callback_port=8123&code_challenge=${CHALLENGE}&state=${STATE}`],
  ['no state', `callback_port=8123&code_challenge=${CHALLENGE}&code_challenge_method=S256`],
];

/** The address of a link, at the server of the test. */
const pathOf = (link: string) => link.slice(new URL(link).origin.length);

/** What the page and its browser hold of a text. */
const traces = async (page: Page, secret: string): Promise<string[]> => {
  const held = await page.evaluate<string>(
    'JSON.stringify({ url: location.href, local: { ...localStorage }, session: { ...sessionStorage }, history: history.state })',
  );
  return [held, await page.content()].filter((one) => one.includes(secret));
};

export const entering = (world: () => ConsoleWorld): void => {
  const opened = async () => {
    const page = await world().open();
    onTestFinished(() => world().leave(page));
    return page;
  };

  describe('links of messages', () => {
    const invited = async (email: string) => {
      const { body } = await world().admin('POST', '/api/v1/invite-org/signup', {
        inviteeEmails: [email],
        organizationId: world().organizationId,
      });
      return pathOf(body.completeInviteLinks[0].link);
    };

    it('lead a new user from an invitation to an account and into the console; the code is nowhere', async () => {
      const page = await opened();
      const path = await invited('invited@example.com');
      await page.goto(path);
      await page.getByLabel('First name').fill('Somebody');
      expect(new URL(page.url()).search).toBe('');
      expect(await traces(page, new URLSearchParams(path.split('?')[1]).get('token')!)).toEqual([]);
      // Nothing is used up before the account is made.
      await page.goto(path);
      await page.getByLabel('First name').fill('Ida');
      await page.getByLabel('Password', { exact: true }).fill('password1234');
      await page.getByRole('button', { name: 'Create the account' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
      await page.getByRole('button', { name: 'Create the account' }).click();
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      await page.reload();
      await page.getByText('invited@example.com').waitFor();
    });

    it('lead a user with an account into another organization, after signing in', async () => {
      const { email } = await person(world());
      const { call, organizationId } = await world().foreign();
      const { body } = await call('POST', '/api/v1/invite-org/signup', { inviteeEmails: [email], organizationId });
      const page = await opened();
      await page.goto(pathOf(body.completeInviteLinks[0].link));
      await page.getByRole('button', { name: 'I have an account' }).click();
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in and accept' }).click();
      const organizations = page.getByRole('combobox', { name: 'Organization' });
      await organizations.waitFor();
      expect(await organizations.locator('option').allTextContents()).toContain('Foreign');
    });

    it('let a user choose a new password, also after one that is refused; the old one ends', async () => {
      const { email, token } = await person(world());
      const link = await issuePasswordReset(world().coffer.contextFor({ type: 'anonymous' }), { email });
      const page = await opened();
      await page.goto(pathOf(link));
      await page.getByRole('heading', { name: 'New password' }).waitFor();
      expect(new URL(page.url()).search).toBe('');
      await page.getByLabel('New password', { exact: true }).fill('password1234');
      await page.getByRole('button', { name: 'Set the password' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
      await page.getByRole('button', { name: 'Set the password' }).click();
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      expect((await world().as(token)('GET', '/api/v1/organization')).status).toBe(401);
      expect((await world().as()('POST', '/api/v3/auth/login', { email, password: PASSWORD })).status).toBe(401);
    });

    it('are asked for from the sign-in, and a server without e-mail says who makes one', async () => {
      const page = await opened();
      await page.goto('/');
      await page.getByRole('link', { name: 'Forgot the password?' }).click();
      // The sign-in has a field of this name, too.
      await page.getByRole('button', { name: 'Send the link' }).waitFor();
      await page.getByLabel('E-mail').fill('somebody@example.com');
      await page.getByRole('button', { name: 'Send the link' }).click();
      expect(await page.getByRole('alert').textContent()).toContain('ask the operator of this server');
    });
  });

  describe('the login of a command line', () => {
    let listener: Server;
    let port: number;
    const received: { method: string; url: string; body: string; origin: string | undefined }[] = [];

    beforeAll(async () => {
      listener = createServer((req: IncomingMessage, res) => {
        res.setHeader('access-control-allow-origin', req.headers.origin ?? '');
        res.setHeader('access-control-allow-headers', 'content-type');
        if (req.method === 'OPTIONS') return void res.end();
        const answer = (body: string) => {
          if (req.url !== '/favicon.ico')
            received.push({ method: req.method!, url: req.url!, body, origin: req.headers.origin });
          return res.end('The command line is logged in.');
        };
        text(req).then(answer, console.error);
      });
      await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
      port = (listener.address() as AddressInfo).port;
    });
    afterAll(() => new Promise<void>((done) => listener.close(() => done())));

    const asking = async (query: string) => {
      received.length = 0;
      const { email } = await person(world());
      const page = await opened();
      await page.goto(`/login?${query}`);
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'command line' }).waitFor();
      return { email, page };
    };
    const withCode = (challenge = CHALLENGE) =>
      `callback_port=${port}&code_challenge=${challenge}&code_challenge_method=S256&state=${STATE}`;
    const works = async (token: string) => (await world().as(token)('GET', '/api/v1/organization')).status === 200;

    it('gives a code after a click, which the verifier turns into a session of its own', async () => {
      const { email, page } = await asking(withCode());
      await page.getByText(`http://127.0.0.1:${port}`).waitFor();
      expect(received).toEqual([]);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText('The command line is logged in.').waitFor();
      const { method, url } = received[0]!;
      const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
      expect([method, pathname, searchParams.get('state')]).toEqual(['GET', '/callback', STATE]);
      const { body } = await world().as()('POST', '/api/v1/auth/command-line/token', {
        code: searchParams.get('code'),
        codeVerifier: VERIFIER,
      });
      expect(body.email).toBe(email);
      expect(await works(body.token)).toBe(true);

      await page.goto('/account');
      await page.getByRole('row').filter({ hasText: 'command line' }).getByRole('button', { name: 'End' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
      await expect.poll(() => works(body.token)).toBe(false);
    });

    it('shows a code to be pasted, and tells the command line of a refusal', async () => {
      const { page } = await asking(withCode());
      await page.getByRole('button', { name: 'on another computer' }).click();
      await page.getByText(/^cfl_/).waitFor();
      expect(received).toEqual([]);
      await page.reload();
      await page.getByRole('button', { name: 'Refuse' }).click();
      await page.getByText('The command line is logged in.').waitFor();
      expect(received.map(({ url }) => url)).toEqual([`/callback?error=access_denied&state=${STATE}`]);
    });

    it('posts tokens to a command line without a challenge, after a click', async () => {
      const { email, page } = await asking(`callback_port=${port}`);
      expect(received).toEqual([]);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText('is logged in').waitFor();
      const posted = JSON.parse(received[0]!.body);
      expect(posted).toEqual({
        email,
        privateKey: '',
        JTWToken: expect.stringMatching(/^cfu_/),
        RefreshToken: expect.stringMatching(/^cfr_/),
      });
      expect(received[0]!.origin).toBe(world().url);
      expect(await works(posted.JTWToken)).toBe(true);
      expect(await traces(page, posted.JTWToken)).toEqual([]);
    });

    it('shows the same to be pasted where nothing takes it, and leaves no session open that nobody has', async () => {
      const silent = createServer();
      await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
      const closed = (silent.address() as AddressInfo).port;
      await new Promise<void>((done) => silent.close(() => done()));
      const { email, page } = await asking(`callback_port=${closed}`);
      const ofCommandLines = async () => {
        const login = await world().as()('POST', '/api/v3/auth/login', { email, password: PASSWORD });
        const { body } = await world().as(login.body.accessToken)('GET', '/api/v2/users/me/sessions');
        return (body as { name: string | null }[]).filter(({ name }) => name === 'command line').length;
      };
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('button', { name: 'Show what to paste' }).waitFor();
      expect(await ofCommandLines()).toBe(0);
      await page.getByRole('button', { name: 'Show what to paste' }).click();
      await page.getByLabel('Login', { exact: true }).waitFor();
      expect(await ofCommandLines()).toBe(1);
      const shown = (await page.getByLabel('Login', { exact: true }).textContent())!;
      expect(JSON.parse(Buffer.from(shown, 'base64').toString())).toMatchObject({ email });
    });

    it.each(sampleOf(MALFORMED, 3))('is not offered for %s', async (_what, query) => {
      const { page } = await asking(query);
      await page.getByText('is missing or malformed').waitFor();
      expect(await page.getByRole('button', { name: 'Log in' }).count()).toBe(0);
    });

    it('reaches one port of this computer from one address alone, by the policy', async () => {
      const sources = async (path: string) => {
        const answer = await world().as()('GET', path, undefined, { accept: 'text/html' });
        return /connect-src ([^;]*);/.exec(String(answer.headers['content-security-policy']))?.[1];
      };
      expect(await sources('/login?callback_port=8123')).toBe(`'self' http://127.0.0.1:8123`);
      for (const path of [
        '/login',
        `/login?${withCode()}`,
        '/login?callback_port=80',
        '/login?callback_port=8123;',
        '/login?callback_port=99999',
        '/login/?callback_port=8123',
        '/?callback_port=8123',
      ])
        expect(await sources(path), path).toBe(`'self'`);
    });
  });
};
