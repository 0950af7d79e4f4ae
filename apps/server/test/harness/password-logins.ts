import type { Answer, TestServer } from './test-server.ts';

/** Logins of people from an address, with the cookies of a browser. The server trusts its peers as proxies. */
export const passwordLogins =
  (test: () => TestServer) =>
  (email: string, password: string, address: string, cookie = ''): Promise<Answer> =>
    test().as()('POST', '/api/v3/auth/login', { email, password }, { 'x-forwarded-for': address, cookie });

/** The cookie of the device that a login has made known. */
export const deviceOf = ({ headers }: Answer): string =>
  [headers['set-cookie']]
    .flat()
    .map(String)
    .find((one) => one.startsWith('cdt='))!
    .split(';')[0]!;
