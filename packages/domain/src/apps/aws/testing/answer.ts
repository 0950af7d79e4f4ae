/** An error of AWS. */
export class AwsRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message = 'No') {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
export const element = (name: string, content: string) => `<${name}>${content}</${name}>`;
export const texts = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields)
    .map(([name, value]) => element(name, escape(value)))
    .join('');

const REQUEST_ID = '01234567-89ab-cdef-0123-456789abcdef';
const NAMESPACES = {
  elasticache: 'http://elasticache.amazonaws.com/doc/2015-02-02/',
  iam: 'https://iam.amazonaws.com/doc/2010-05-08/',
  sts: 'https://sts.amazonaws.com/doc/2011-06-15/',
};
export type QueryService = keyof typeof NAMESPACES;

/** The answer of a service that speaks the query protocol; without a result where the action has none. */
export const queryAnswer = (service: QueryService, action: string, result: string | undefined): Answer => ({
  status: 200,
  type: 'text/xml',
  body: `<${action}Response xmlns="${NAMESPACES[service]}">
${result === undefined ? '' : element(`${action}Result`, result)}
${element('ResponseMetadata', element('RequestId', REQUEST_ID))}
</${action}Response>
`,
});

export const queryRefusal = (service: QueryService, { status, code, message }: AwsRefusal): Answer => ({
  status,
  type: 'text/xml',
  body: `<ErrorResponse xmlns="${NAMESPACES[service]}">
  ${element('Error', texts({ Type: 'Sender', Code: code, Message: message }))}
  ${element('RequestId', REQUEST_ID)}
</ErrorResponse>
`,
});

/** STS responds in JSON on request. */
export const stsJson = (action: string, fields: object): Answer => ({
  status: 200,
  type: 'application/json',
  body: JSON.stringify({
    [`${action}Response`]: { [`${action}Result`]: fields, ResponseMetadata: { RequestId: REQUEST_ID } },
  }),
});

export const JSON_TYPE = 'application/x-amz-json-1.1';
export const jsonAnswer = (answer: object): Answer => ({ status: 200, type: JSON_TYPE, body: JSON.stringify(answer) });
export const jsonRefusal = ({ status, code, message }: AwsRefusal): Answer => ({
  status,
  type: JSON_TYPE,
  body: JSON.stringify({ __type: code, message }),
});
