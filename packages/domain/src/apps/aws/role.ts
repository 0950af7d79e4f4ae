import { malformed } from '../../family/index.ts';
import type { AwsQuery } from './query.ts';
import { stsIn, urlOf } from './service.ts';
import type { AwsKeys } from './sign.ts';
import { at } from './xml.ts';

/** A role, and the credentials that assume it. */
export interface AwsRole {
  readonly region: string;
  readonly roleArn: string;
  readonly sessionName: string;
  /**
   * The trust policy of the role can require it, so that the role cannot be used through another project (confused
   * deputy).
   */
  readonly externalId?: string | undefined;
}

/** Seconds: the minimum of AWS. */
const SESSION = 900;

/** Temporary keys of a role. `hide` redacts them from later texts. `sts` is the token service of the role's region. */
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
