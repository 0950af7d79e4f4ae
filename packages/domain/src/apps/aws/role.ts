import { malformed } from '../../family/index.ts';
import type { AwsQuery } from './query.ts';
import { stsIn, urlOf } from './service.ts';
import type { AwsKeys } from './sign.ts';
import { at } from './xml.ts';

/** A role, and who takes it. */
export interface AwsRole {
  readonly region: string;
  readonly roleArn: string;
  readonly sessionName: string;
  /** The role's trust policy can demand it, so that nobody borrows the role through another project. */
  readonly externalId?: string | undefined;
}

/** Seconds: the shortest that AWS gives. */
const SESSION = 900;

/** Temporary keys of a role. `hide` keeps them out of what is shown later. `sts` is the token service of the role's region. */
export async function assumeRole(
  sts: AwsQuery,
  { region, roleArn, sessionName, externalId }: AwsRole,
  hide: (credential: string) => unknown,
): Promise<AwsKeys> {
  const answer = await sts('AssumeRole', {
    RoleArn: roleArn,
    RoleSessionName: sessionName,
    ExternalId: externalId,
    DurationSeconds: String(SESSION),
  });
  const [accessKeyId, secretAccessKey, sessionToken] = ['AccessKeyId', 'SecretAccessKey', 'SessionToken'].map(
    (name) => at(answer, 'Credentials', name)?.text,
  );
  for (const one of [accessKeyId, secretAccessKey, sessionToken]) if (one) hide(one);
  if (!accessKeyId || !secretAccessKey || !sessionToken) throw malformed(urlOf(stsIn(region)), 'no keys for the role');
  return { accessKeyId, secretAccessKey, sessionToken };
}
