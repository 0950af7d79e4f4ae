import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { slowExpressions, slowExpressionsIn } from './regular-expressions.mjs';

const OPERATOR = 'Of the operator or of ourselves, not of a caller';
const SHORT = 'At most 2,048 characters';

/** Expressions that are slow only for texts that nobody can send. */
const EXCEPTIONS = {
  [String.raw`apps/server/src/config/environment.ts: /\/+$/`]: OPERATOR,
  [String.raw`apps/server/src/rest.ts: /\{(.+?)\}/g`]: OPERATOR,
  [String.raw`apps/server/src/rest.ts: /:[^/]+$/`]: OPERATOR,
  [String.raw`packages/api/src/kernel/operations.ts: /\{(.+?)\}/g`]: OPERATOR,
  [String.raw`apps/cli/src/client.ts: /^\s*([!#$%&'*+.^_${'`'}|~\w-]+)\s*[=:]\s*(.*?)\s*$/`]: OPERATOR,
  [String.raw`packages/client/src/client.ts: /(?:\/+api)?\/*$/`]: OPERATOR,
  [String.raw`packages/domain/src/kernel/service-url.ts: /\/+$/`]: OPERATOR,
  [String.raw`packages/postgres/src/processes.ts: /^\s*(\d+)\s+(\S+)\s+(.*)$/`]: OPERATOR,
  [String.raw`packages/domain/src/outbound/redact.ts: /=+$/`]: 'Base64 has at most two of them, at its end',
  [String.raw`packages/ssh/src/public-key.ts: /=+$/`]: 'Base64 has at most two of them, at its end',
  ...Object.fromEntries(
    [
      String.raw`apps/github/client.ts: /\/+(api\/v3\/*)?$/`,
      String.raw`apps/hashicorp-vault/client.ts: /\/+$/`,
      String.raw`apps/kubernetes/api-server.ts: /\/+$/`,
      String.raw`connections/connection/stored.ts: /\/+$/`,
      String.raw`connections/sync/destinations/hashicorp-vault/hashicorp-vault.ts: /^\/+|\/+$/g`,
      String.raw`identities/auth-method/methods/kubernetes-auth/token-review.ts: /\/+$/`,
      String.raw`identities/auth-method/proof/key-sets.ts: /\/+$/`,
      String.raw`ldap/filter.ts: /=[^()]*$/`,
      String.raw`pki/certificate/wildcard.ts: /\[([^!^\]])[^\]]*\]/g`,
      String.raw`secrets/dynamic/providers/kubernetes/kubernetes.ts: /\/+$/`,
      String.raw`secrets/dynamic/providers/rabbit-mq/inputs.ts: /\/+$/`,
    ].map((one) => [`packages/domain/src/${one}`, SHORT]),
  ),
};

describe('regular expressions', () => {
  it('take linear time for any input of callers', () => {
    const root = join(import.meta.dirname, '..');
    const paths = globSync('{packages,apps}/*/src/**/*.ts', {
      cwd: root,
      exclude: (path) => path.endsWith('.test.ts') || path.endsWith('/testing'),
    });
    expect(paths.length).toBeGreaterThan(500);
    expect(slowExpressionsIn(root, paths).filter((one) => !Object.hasOwn(EXCEPTIONS, one))).toEqual([]);
  });

  it.each([
    String.raw`/\{\{.*\}\}|\{\0|\0\}/s`,
    String.raw`/^[^.]*\*[^.]*\.(.*)$/`,
    String.raw`/(\{\{.*?\}\})/s`,
    String.raw`/\s+$/`,
    String.raw`/^(?:a+)+$/u`,
    String.raw`/^(?:[\w--_]+\d*)*!$/v`,
  ])('are found if they are slow: %s', (expression) => {
    expect(slowExpressions('a.ts', `export const is = (text: string) => ${expression}.test(text);`)).toEqual([
      expression,
    ]);
  });

  it.each([String.raw`/^[\w-]+$/`, String.raw`/\{\{[^{},]*\}\}/`, String.raw`/^\s+|[^\s]$/`])(
    'are left where they are not: %s',
    (expression) => {
      expect(slowExpressions('a.ts', `const is = ${expression};`)).toEqual([]);
    },
  );
});
