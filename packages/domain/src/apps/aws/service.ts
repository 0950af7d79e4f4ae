/**
 * A region name of AWS. It becomes part of a host name, and other names in the same domain belong to customers: with
 * `s3`, `sts.s3.…` would be somebody's bucket. The isolated regions (`us-iso`…) have another domain.
 */
export const REGION = /^(?=.{1,20}$)(?!us-iso)[a-z]{2}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/;

/** A role that can be assumed. */
export const ROLE_ARN = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/;

/** The address of a service, and the region for which its requests are signed. */
export interface AwsService {
  readonly name: string;
  readonly host: string;
  readonly region: string;
}

/** A service of one region, such as `sts`, `ssm` or `secretsmanager`. */
export const serviceIn = (name: string, region: string): AwsService => ({
  name,
  host: `${name}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`,
  region,
});

/** The token service of a region. */
export const stsIn = (region: string): AwsService => serviceIn('sts', region);

/** IAM has one address in each partition of AWS. */
export function iamOf(region: string): AwsService {
  const name = 'iam';
  if (region.startsWith('cn-')) return serviceIn(name, 'cn-north-1');
  if (region.startsWith('us-gov-')) return { name, host: 'iam.us-gov.amazonaws.com', region: 'us-gov-west-1' };
  return { name, host: 'iam.amazonaws.com', region: 'us-east-1' };
}

/** Route 53 has one address in each partition of AWS; this one is for all regions but those of China and of the government. */
export const ROUTE_53: AwsService = { name: 'route53', host: 'route53.amazonaws.com', region: 'us-east-1' };

export const urlOf = ({ host }: AwsService): string => `https://${host}/`;
