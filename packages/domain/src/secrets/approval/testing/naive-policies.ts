import fc from 'fast-check';

/** A naive reading of change policies, independent of the tested code. */

export const ENVIRONMENTS = ['dev', 'prod'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Users approve. The first also requests, as do two identities and a service token. */
export const CALLERS = ['user', 'robot', 'helper', 'service'] as const;
export type CallerName = (typeof CALLERS)[number];
export const USERS = 3;

/** What each path of a policy covers. */
const PATHS: Readonly<Record<string, (path: string) => boolean>> = {
  '/': (path) => path === '/',
  '/a': (path) => path === '/a',
  '/a/b': (path) => path === '/a/b',
  '/a/later': (path) => path === '/a/later',
  '/c': (path) => path === '/c',
  '/z': (path) => path === '/z',
  '/**': () => true,
  '/a/**': (path) => path === '/a' || path.startsWith('/a/'),
  '/z/**': (path) => path === '/z' || path.startsWith('/z/'),
  '/*': (path) => path !== '/' && path.indexOf('/', 1) < 0,
  '/a/*': (path) => path.startsWith('/a/') && path.indexOf('/', 3) < 0,
  '/{c,z}': (path) => path === '/c' || path === '/z',
};

export interface RandomPolicy {
  readonly environment: Environment;
  readonly secretPath: string | null;
  readonly approvers: readonly number[];
  readonly approvals: number;
  readonly enforcementLevel: 'hard' | 'soft';
  readonly allowedSelfApprovals: boolean;
  readonly exempt: readonly ('robot' | 'helper')[];
  readonly exemptMachines: boolean;
}

const rarely = fc.integer({ min: 0, max: 3 }).map((dice) => dice === 0);

export const randomPolicy: fc.Arbitrary<RandomPolicy> = fc
  .subarray(
    Array.from({ length: USERS }, (_, index) => index),
    { minLength: 1 },
  )
  .chain((approvers) =>
    fc.record({
      environment: fc.constantFrom(...ENVIRONMENTS),
      secretPath: fc.oneof(fc.constant(null), fc.constantFrom(...Object.keys(PATHS))),
      approvers: fc.constant(approvers),
      approvals: fc.integer({ min: 1, max: Math.min(2, approvers.length) }),
      enforcementLevel: fc.constantFrom('hard' as const, 'soft' as const),
      allowedSelfApprovals: fc.boolean(),
      exempt: fc.subarray(['robot' as const, 'helper' as const]),
      exemptMachines: rarely,
    }),
  );

/** The path of a write that touches whatever a policy of its environment covers, now or later. */
export const ANYWHERE = '*';

/** A folder of an environment that a write touches. */
export interface Touched {
  readonly environment: string;
  readonly path: string;
}

/** The writer: a caller, or Coffer itself for replication. */
export type Writer = CallerName | 'coffer';

const isExempt = ({ exempt, exemptMachines }: RandomPolicy, writer: Writer): boolean => {
  if (writer === 'user' || writer === 'coffer') return false;
  return exemptMachines || (writer !== 'service' && exempt.includes(writer));
};

export const coversPath = ({ secretPath }: Pick<RandomPolicy, 'secretPath'>, path: string): boolean =>
  secretPath === null || PATHS[secretPath]!(path);

const coversTouched = (policy: RandomPolicy, { environment, path }: Touched): boolean =>
  environment === policy.environment && (path === ANYWHERE || coversPath(policy, path));

/** The policies that a write has to satisfy. */
export const applying = <Policy extends RandomPolicy>(
  policies: readonly Policy[],
  writer: Writer,
  touched: readonly Touched[],
): Policy[] =>
  policies.filter((policy) => !isExempt(policy, writer) && touched.some((one) => coversTouched(policy, one)));

/** What changes its place with everything that leads there; without `to`, its policies end. */
export interface Departure {
  readonly from: Touched;
  readonly to?: Touched;
}

/** Whether each caller may edit and delete policies. */
const MAY_END: Readonly<Record<Writer, 'permanently' | 'for a time' | 'never'>> = {
  user: 'permanently',
  robot: 'permanently',
  helper: 'for a time',
  service: 'never',
  coffer: 'never',
};

/** What may become of a write: of several reasons against it, either may be given. */
export function outcomesOf(
  policies: readonly RandomPolicy[],
  writer: Writer,
  {
    touched,
    departures = [],
    isLiftable = false,
  }: {
    readonly touched: readonly Touched[];
    readonly departures?: readonly Departure[];
    readonly isLiftable?: boolean;
  },
): ('done' | 'asked' | 'refused')[] {
  const isAsked = applying(policies, writer, touched).length > 0;
  const exempting = policies.filter((policy) => isExempt(policy, writer));
  if (isLiftable) {
    const isCovered = isAsked || exempting.some((policy) => touched.some((one) => coversTouched(policy, one)));
    if (!isCovered || MAY_END[writer] === 'permanently') return ['done'];
    return [MAY_END[writer] === 'never' && isAsked ? 'asked' : 'refused'];
  }
  const isEnding = exempting.some((policy) =>
    departures.some(({ from, to }) => coversTouched(policy, from) && !(to && coversTouched(policy, to))),
  );
  const against: ('asked' | 'refused')[] = [
    ...(isAsked ? (['asked'] as const) : []),
    ...(isEnding && MAY_END[writer] !== 'permanently' ? (['refused'] as const) : []),
  ];
  return against.length > 0 ? against : ['done'];
}

/** The users behind each caller, by their numbers: whose approval is a self-approval. */
const BEHIND: Readonly<Record<CallerName, number>> = { user: 0, robot: 1, helper: 1, service: 2 };

/** Whether a user's review can be an approval of a caller's request under some policies. */
export const mayApprove = (policies: readonly RandomPolicy[], caller: CallerName, user: number): boolean =>
  policies.some(({ approvers }) => approvers.includes(user)) &&
  (user !== BEHIND[caller] || policies.every((policy) => policy.allowedSelfApprovals));

/** Whether a request that some users have approved can be merged, with or without a reason for a bypass. */
export const isMergeable = (
  policies: readonly RandomPolicy[],
  caller: CallerName,
  approvedBy: readonly number[],
  hasReason: boolean,
): boolean =>
  (hasReason && policies.every((policy) => policy.enforcementLevel === 'soft')) ||
  policies.every(
    ({ approvers, approvals }) =>
      approvedBy.filter((user) => approvers.includes(user) && mayApprove(policies, caller, user)).length >= approvals,
  );
