import { makeUser } from '@coffer/domain/testing';
import { expect } from 'vitest';
import { makeWorld, type Thing } from '../harness/matrix-world.ts';
import type { Caller } from '../harness/test-server.ts';
import { PASSWORD, type ConsoleWorld } from './harness.ts';

/** The roles of those who look at all screens. */
export const PEOPLE = [
  { who: 'an administrator', inOrganization: 'admin', inProject: 'admin' },
  { who: 'a developer', inOrganization: 'member', inProject: 'member' },
  { who: 'a viewer', inOrganization: 'member', inProject: 'viewer' },
  { who: 'somebody without permissions', inOrganization: 'no-access', inProject: 'no-access' },
] as const;
export type Somebody = (typeof PEOPLE)[number];

/** What the parameters of an address name, by the address before them; the first match counts. */
const PARAMETERS: readonly (readonly [before: RegExp, value: Thing | `=${string}`])[] = [
  [/^\/projects\/$/, 'project'],
  [/\/ssh\/hosts\/$/, 'sshHost'],
  [/\/ssh\/host-groups\/$/, 'sshHostGroup'],
  [/\/ssh\/certificates\/$/, 'sshSerialNumber'],
  [/\/ssh\/templates\/$/, 'sshTemplate'],
  [/\/ssh\/authorities\/$/, 'sshAuthority'],
  [/\/keys\/$/, 'kmsKey'],
  [/\/certificates\/$/, 'certificate'],
  [/\/certificates\/authorities\/$/, 'certificateAuthority'],
  [/\/external-authorities\/$/, '=acme'],
  [/\/external-authorities\/[^/]+\/$/, 'acmeAuthority'],
  [/\/certificates\/profiles\/$/, 'certificateProfile'],
  [/\/certificates\/policies\/$/, 'certificatePolicy'],
  [/\/certificates\/templates\/$/, 'certificateTemplate'],
  [/\/certificates\/subscribers\/$/, 'subscriberName'],
  [/\/certificates\/collections\/$/, 'certificateCollection'],
  [/\/certificates\/alerts\/$/, 'certificateAlert'],
  [/\/certificates\/syncs\/$/, '=aws-certificate-manager'],
  [/\/certificates\/syncs\/[^/]+\/$/, 'pkiSync'],
  [/\/inbox\/$/, 'changeRequest'],
  [/\/identities\/$/, 'identity'],
  [/\/app-connections\/$/, '=github'],
  [/\/app-connections\/[^/]+\/$/, 'appConnection'],
  [/\/secret-syncs\/$/, '=github'],
  [/\/secret-syncs\/[^/]+\/$/, 'secretSync'],
  [/\/secret-rotations\/$/, '=postgres-credentials'],
  [/\/secret-rotations\/[^/]+\/$/, 'secretRotation'],
  [/\/dynamic-secrets\/$/, 'dynamicSecretName'],
  [/\/api\/docs\/$/, '=secrets_create'],
];

/** An organization and a project with one of everything, and somebody of each role in both. */
export interface Stock {
  readonly organizationId: string;
  readonly projectId: string;
  /** The address of a screen, with what there is. */
  addressOf(path: string): string;
  emailOf(somebody: Somebody): string;
  /** Calls the server as somebody. */
  as(somebody: Somebody): Caller;
}

const stocks = new WeakMap<ConsoleWorld, Promise<Stock>>();

/** Made when it is first asked for; all flows look at the same. */
export function stockOf(world: ConsoleWorld): Promise<Stock> {
  const there = stocks.get(world) ?? makeStock(world);
  stocks.set(world, there);
  return there;
}

async function makeStock(world: ConsoleWorld): Promise<Stock> {
  const { organizationId, machine, has } = await makeWorld(world, 'stock');
  const people = new Map<Somebody, { readonly email: string; readonly token: string }>();
  for (const somebody of PEOPLE) {
    const { inOrganization: role, inProject } = somebody;
    const email = `stock-${inProject}@example.com`;
    const { token } = await makeUser(world.coffer, { email, password: PASSWORD, organizationId, role });
    const body = { emails: [email], roleSlugs: [inProject] };
    const added = await machine('POST', `/api/v1/projects/${has.project}/memberships`, body);
    expect([added.status, added.status === 200 ? undefined : added.body]).toEqual([200, undefined]);
    people.set(somebody, { email, token });
  }
  return {
    organizationId,
    projectId: has.project,
    addressOf: (path) =>
      path
        .split(/(\$\w+)/)
        .reduce((before, part) => before + (part.startsWith('$') ? valueAfter(before, has) : part), ''),
    emailOf: (somebody) => people.get(somebody)!.email,
    as: (somebody) => world.as(people.get(somebody)!.token),
  };
}

function valueAfter(before: string, has: Readonly<Record<Thing, string>>): string {
  const [, value] = PARAMETERS.find(([pattern]) => pattern.test(before)) ?? [];
  if (value === undefined) throw new Error(`Give what comes after ${before} a line in PARAMETERS (web/stock.ts)`);
  return value.startsWith('=') ? value.slice(1) : encodeURIComponent(has[value as Thing]);
}
