import { z } from 'zod';
import { readGlob } from '../../../../access/index.ts';
import { at, readXml, type XmlElement } from '../../../../apps/aws/index.ts';
import { badRequest, unauthenticated, type OutboundFetch, type OutboundRequest } from '../../../../kernel/index.ts';

/** Milliseconds. */
const TIMEOUT = 10_000;
const MAX_BYTES = 64 * 1024;

/** `arn:partition:service::account:type/name`; the account's root user has no name. */
const ARN =
  /^arn:(?<partition>aws[a-z-]*):(?<service>iam|sts)::(?<account>\d{12}):(?<type>[a-z-]+)(?:\/(?<name>[\x21-\x7e]+))?$/;

const Result = z.object({
  Account: z.string().regex(/^\d{12}$/),
  Arn: z.string().max(2048).regex(ARN),
  UserId: z.string().regex(/^[\x21-\x7e]{1,256}$/),
});
const JsonAnswer = z.object({ GetCallerIdentityResponse: z.object({ GetCallerIdentityResult: Result }) });

const NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/';
/** The elements of a response, in this order. */
const PARTS = ['GetCallerIdentityResult', 'ResponseMetadata'];

/** The signer of a request, as AWS returns it. Stored with the token. */
export interface Caller {
  readonly accountId: string;
  readonly arn: string;
  readonly userId: string;
  readonly partition: string;
  readonly service: string;
  readonly resourceType: string;
  readonly resourceName: string;
}

/**
 * Sends a signed request and reads the identity of its signer from the response.
 *
 * @throws DomainError 401 if STS rejects the signature; 400 if STS is unreachable or its response is invalid.
 */
export async function askWhoSigned(
  fetch: OutboundFetch,
  { url, request }: { url: string; request: OutboundRequest },
): Promise<Caller> {
  const answer = await fetch(url, { ...request, timeoutMs: TIMEOUT, maxBytes: MAX_BYTES, maxRedirects: 0 });
  if (answer.status === 400 || answer.status === 401 || answer.status === 403)
    throw unauthenticated('aws_auth.rejected', 'AWS does not accept this signature');
  if (answer.status !== 200) throw badAnswer();
  const text = answer.text();
  const { Account, Arn, UserId } = text.trimStart().startsWith('{') ? readJson(answer.json()) : readDocument(text);
  const { partition = '', service = '', account, type = '', name = '' } = ARN.exec(Arn)?.groups ?? {};
  if (account !== Account) throw badAnswer();
  return { accountId: Account, arn: Arn, userId: UserId, partition, service, resourceType: type, resourceName: name };
}

const badAnswer = () => badRequest('aws_auth.bad_answer', 'STS did not return the caller identity');

function readJson(json: unknown): z.output<typeof Result> {
  const { success, data } = JsonAnswer.safeParse(json);
  if (!success) throw badAnswer();
  return data.GetCallerIdentityResponse.GetCallerIdentityResult;
}

/** The complete document must have AWS's form: a valid part inside another document is rejected. */
function readDocument(text: string): z.output<typeof Result> {
  const root = rootOf(text);
  const leaves = at(root, 'GetCallerIdentityResult')?.children ?? [];
  const isWhole = root.name === 'GetCallerIdentityResponse' && root.children.every(({ name }, i) => name === PARTS[i]);
  const fields = new Map(leaves.map((leaf) => [leaf.name, leaf.text.trim()]));
  const { success, data } = Result.safeParse(Object.fromEntries(fields));
  if (!success || !isWhole || fields.size !== leaves.length) throw badAnswer();
  return data;
}

function rootOf(text: string): XmlElement {
  try {
    return readXml(text, NAMESPACE);
  } catch {
    throw badAnswer();
  }
}

/**
 * Whether an entry of the list matches this caller: by its own ARN or, for the session of a role, by the ARN of the
 * role. Partition, service and account must be equal, and `*` does not match a slash: the actor that assumes a role
 * chooses what comes after it.
 */
export function isPrincipal(entry: string, arn: string): boolean {
  const [place, pattern = ''] = splitArn(entry);
  const glob = readGlob(pattern === '*' ? '**' : pattern.replace(/\/\*$/, '/*/**'));
  return [arn, roleOf(arn)].some((form) => {
    const [formPlace, name = ''] = splitArn(form);
    return place === formPlace && glob.matches(name);
  });
}

const splitArn = (arn: string): [place: string, name?: string] => {
  const parts = arn.split(':');
  return [parts.slice(0, 5).join(':'), parts.slice(5).join(':')];
};

const roleOf = (arn: string): string =>
  arn.replace(/^(arn:[a-z-]+):sts::(\d{12}):assumed-role\/([^/]+)\/.+$/, '$1:iam::$2:role/$3');
