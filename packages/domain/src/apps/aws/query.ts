import { malformed, type RemoteIo } from '../../family/index.ts';
import type { OutboundResponse } from '../../kernel/index.ts';
import { post, type AwsAction } from './call.ts';
import { AwsFault } from './fault.ts';
import { urlOf, type AwsService } from './service.ts';
import type { AwsKeys } from './sign.ts';
import { at, readXml, type XmlElement } from './xml.ts';

/** Of the services that speak the query protocol. */
const VERSIONS: Readonly<Record<string, string>> = {
  elasticache: '2015-02-02',
  iam: '2010-05-08',
  sts: '2011-06-15',
};
const HEADERS = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' };
const MAX_BYTES = 512 * 1024;

/** Actions with parameters, answered in XML: the element `<Action>Result`. */
export type AwsQuery = AwsAction<Readonly<Record<string, string | undefined>>, XmlElement>;

/** A client of a service with AWS's query protocol, with the given keys. */
export const queryAws =
  (io: RemoteIo, service: AwsService, keys: AwsKeys): AwsQuery =>
  async (action, parameters = {}) => {
    const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const version = VERSIONS[service.name] ?? '';
    const body = new URLSearchParams([['Action', action], ['Version', version], ...given]).toString();
    const answer = await post(io, service, keys, { headers: HEADERS, body, maxBytes: MAX_BYTES });
    const root = documentOf(answer);
    if (answer.status !== 200) throw faultOf(service, answer, root);
    if (root?.name !== `${action}Response`) throw malformed(urlOf(service), `${action} with something else`);
    return at(root, `${action}Result`) ?? { name: `${action}Result`, children: [], text: '' };
  };

function documentOf(answer: OutboundResponse): XmlElement | undefined {
  try {
    return readXml(answer.text());
  } catch {
    return undefined;
  }
}

function faultOf(service: AwsService, { status }: OutboundResponse, root: XmlElement | undefined): AwsFault {
  const error = at(root, 'Error');
  return new AwsFault(service, status, at(error, 'Code')?.text ?? '', at(error, 'Message')?.text ?? '');
}
